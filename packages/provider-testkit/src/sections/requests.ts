import { reply, text } from "@pawl/model-server"
import { expect } from "vitest"
import type { PartView } from "../request-view.ts"
import { sampleKey } from "../run-spec.ts"
import { sampleTool, user } from "../samples.ts"
import { section } from "../section.ts"

const answer = () => reply(text("Hi"))

export const requests = section("requests", {
  "carry the key, where the vendor looks for it": async ({ start }) => {
    const { ask, keyOf } = await start([answer()])
    await ask()
    expect(keyOf(0)).toBe(sampleKey)
  },
  "carry the provider's headers, the request's headers and the query": async ({ start }) => {
    const connection = { headers: { "x-team": "blue" }, query: { version: "2" } }
    const { ask, server } = await start([answer()], { connection })
    await ask({ headers: { "x-session": "ses_1" } })
    const [request] = server.requests
    expect(request?.headers).toMatchObject({ "x-team": "blue", "x-session": "ses_1" })
    expect(new URLSearchParams(request?.path.split("?")[1]).get("version")).toBe("2")
  },
  "are the same where a connection was opened for them, and come over that one": async ({ start }) => {
    const { ask, model, server } = await start([answer(), answer()])
    model.connect?.()
    await ask()
    await ask()
    const [ahead, usual] = server.requests.map(({ method, path, headers, raw }) => {
      return { method, path, headers, body: raw.toString() }
    })
    expect(ahead).toEqual(usual)
    expect(server.connections).toBe(1)
  },
  "name the model": async ({ start }) => {
    const { ask, model, server } = await start([answer()])
    await ask()
    const [request] = server.requests
    expect(`${request?.path} ${request?.raw.toString()}`).toContain(model.ref.modelID)
  },
  "carry every system block, in order": async ({ start }) => {
    const { ask, sent } = await start([answer()])
    await ask({ system: ["Stable.", "Volatile."] })
    expect(sent(0).system.join("\n\n")).toBe("Stable.\n\nVolatile.")
  },
  "may have no system block": async ({ start }) => {
    const { ask, sent } = await start([answer()])
    await ask({ system: [] })
    expect(sent(0).system).toEqual([])
  },
  "may have no tool": async ({ start }) => {
    const { ask, sent } = await start([answer()])
    await ask({ tools: [] })
    expect(sent(0).tools).toEqual([])
  },
  "carry the tools in their order, with what they are and take": async ({ start }) => {
    const { ask, sent } = await start([answer()])
    const list = { name: "list", description: "Lists.", inputSchema: { type: "object", properties: {} } }
    await ask({ tools: [sampleTool, list] })
    expect(sent(0).tools).toMatchObject([
      {
        name: "read",
        description: "Reads a file.",
        schema: {
          type: "object",
          properties: { path: { type: "string", description: "Which file." }, mode: { enum: ["text", "bytes"] } },
          required: ["path"],
        },
      },
      { name: "list", description: "Lists." },
    ])
  },
  "carry a conversation as it was": async ({ start }) => {
    const { ask, sent } = await start([answer()])
    await ask({
      messages: [
        user("What is in a?"),
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool-call", callID: "call_1", name: "read", input: { path: "a", nested: { z: [1.5, null] } } },
          ],
        },
        {
          role: "tool",
          content: [{ type: "tool-result", callID: "call_1", name: "read", output: "ENOENT", isError: true }],
        },
        { role: "assistant", content: [{ type: "text", text: "It is not there." }] },
        user("Thanks."),
      ],
    })
    // For a call without the signature that a vendor requires, the provider may send a text that says so.
    const isSaid = (part: PartView) => part.type !== "reasoning" || part.text !== ""
    expect(sent(0).turns.map(({ role, parts }) => ({ role, parts: parts.filter(isSaid) }))).toEqual([
      { role: "user", parts: [{ type: "text", text: "What is in a?" }] },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "I look." },
          { type: "call", name: "read", input: { path: "a", nested: { z: [1.5, null] } } },
        ],
      },
      { role: "user", parts: [{ type: "result", output: expect.stringContaining("ENOENT") as string }] },
      { role: "assistant", parts: [{ type: "text", text: "It is not there." }] },
      { role: "user", parts: [{ type: "text", text: "Thanks." }] },
    ])
  },
  "go over one connection, one after the other": async ({ start }) => {
    const { ask, server } = await start([answer(), answer(), answer()])
    for (let n = 0; n < 3; n++) await ask()
    expect(server.requests.map(({ status }) => status)).toEqual([200, 200, 200])
  },
})
