import { tmpdir } from "node:os"
import type { Deadlines, EngineEvent } from "@pawl/core"
import { modelServer, pings, reply, type Reply, stall, start, type Step, text } from "@pawl/model-server"
import { withLongerLimits } from "@pawl/provider-testkit/with-longer-limits"
import { describe, expect, it } from "vitest"
import { engineOver, type Wire, wires } from "../src/wires.ts"

/** One prompt, answered by this reply, or not. */
async function ask(wire: Wire, answer: Reply, deadlines: Partial<Deadlines>) {
  await using server = await modelServer({ replies: () => answer })
  await using engine = await engineOver(wire, server, { deadlines, retry: { attempts: 1 } })
  const events: EngineEvent[] = []
  engine.subscribe((event) => events.push(event))
  const { id: sessionID } = await engine.createSession({ directory: tmpdir() })
  const result = await engine.prompt({ sessionID, parts: [{ type: "text", text: "Well?" }] })
  const error = result.type === "failed" ? result.error.data.message : undefined
  const waits = events.flatMap((event) => (event.type === "session.waiting" ? [event.properties] : []))
  return { type: result.type, requests: server.requests.length, error, waits }
}

describe.concurrent.each(wires)("over $name", (wire) => {
  it.each([
    ["before an answer", (long: Step) => reply(long, text("Yes."))],
    ["behind its beginning", (long: Step) => reply(start(), long, text("Yes."))],
    ["in its middle", (long: Step) => reply(text("Yes"), long, text("."))],
  ])("keep-alives %s do not fail it", async (_name, answer) => {
    await withLongerLimits(600, async (limit) => {
      // As 200 s of pings are to the default of 120 s.
      const long = pings({ every: limit / 30, times: 50 })
      const result = await ask(wire, answer(long), { firstEvent: limit, idle: limit, waiting: limit / 6 })
      expect(result).toMatchObject({ type: "answered", requests: 1 })
      expect(result.waits.at(-1)?.isAlive).toBe(true)
    })
  })

  it("a silent wire fails an answer, and the text so far is told", async () => {
    await withLongerLimits(600, async (limit) => {
      const deadlines = { firstEvent: limit, idle: limit, waiting: limit / 12 }
      const result = await ask(wire, reply(text("So far."), stall()), deadlines)
      expect(result).toMatchObject({ type: "failed", requests: 1, error: expect.stringContaining("silent") as string })
      expect(result.waits.at(-1)).toMatchObject({ isAlive: false, text: "So far.", model: wire.model })
    })
  })

  it("keep-alives without end fail an answer at the second deadline", async () => {
    await withLongerLimits(400, async (limit) => {
      const deadlines = { firstEvent: limit, idle: limit, events: 2 * limit }
      const result = await ask(wire, reply(start(), pings({ every: limit / 20 })), deadlines)
      expect(result).toMatchObject({ type: "failed", error: expect.stringContaining("keeps the connection") as string })
    })
  })
})
