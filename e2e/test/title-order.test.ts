import { tmpdir } from "node:os"
import { modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { engineOver, wires } from "../src/wires.ts"

it.each(wires)("the request for a title follows the first request of its session, over $name", async (wire) => {
  // Counts, so that two requests never begin at the same time.
  let time = 0
  await using server = await modelServer({ replies: () => reply(text(["Yes", "."])), now: () => time++ })
  await using engine = await engineOver(wire, server, { titleModel: wire.model })
  const titled = new Set<string>()
  engine.subscribe(({ type, properties }) => {
    if (type === "session.updated" && properties.info.title === "Yes.") titled.add(properties.sessionID)
  })
  const isTitle = ({ raw }: { readonly raw: Buffer }) => raw.includes("You name conversations")

  // The first connection is opened ahead; later ones may be kept.
  for (let n = 0; n < 5; n++) {
    const { id: sessionID } = await engine.createSession({ directory: tmpdir() })
    const before = server.requests.length
    await engine.prompt({ sessionID, parts: [{ type: "text", text: `Is it so, ${"really ".repeat(20_000)}?` }] })
    await expect.poll(() => titled.has(sessionID)).toBe(true)
    await server.idle()
    // The long request may end after the short one.
    const inOrder = server.requests.slice(before).toSorted((one, other) => one.firstByteAt - other.firstByteAt)
    expect(inOrder.map((request) => isTitle(request))).toEqual([false, true])
  }
})
