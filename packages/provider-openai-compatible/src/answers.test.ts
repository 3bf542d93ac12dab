import { call, deltas, empty, finish, modelServer, reasoning, reply, text, usage } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { acme, ask } from "../test/session.ts"

describe("answers of a server", () => {
  it("are text, with token counts that do not overlap", async () => {
    await using server = await modelServer({
      replies: [
        reply(
          text(["Hel", "lo."]),
          usage({ inputTokens: 100, outputTokens: 30, cachedTokens: 80, reasoningTokens: 10 }),
        ),
      ],
    })

    const tokens = { input: 20, output: 20, reasoning: 10, cache: { read: 80, write: 0 } }
    expect(await ask(acme(server))).toEqual([
      { type: "start" },
      { type: "start-step" },
      { type: "text-start", id: "txt-0" },
      { type: "text-delta", id: "txt-0", text: "Hel" },
      { type: "text-delta", id: "txt-0", text: "lo." },
      { type: "text-end", id: "txt-0" },
      { type: "finish-step", reason: "stop", usage: tokens },
      { type: "finish", reason: "stop", usage: tokens },
    ])
  })

  it("are reasoning and tool calls, whose arguments come in pieces", async () => {
    await using server = await modelServer({
      replies: [
        reply(
          reasoning(["Hm", "."]),
          text("I look."),
          call("read", ['{"pa', 'th":"a"', "}"], { id: "c1" }),
          call("read", { path: "b" }, { id: "c2" }),
        ),
      ],
    })

    const events = await ask(acme(server))

    expect(events.filter(({ type }) => type.startsWith("reasoning"))).toEqual([
      { type: "reasoning-start", id: "reasoning-0" },
      { type: "reasoning-delta", id: "reasoning-0", text: "Hm" },
      { type: "reasoning-delta", id: "reasoning-0", text: "." },
      { type: "reasoning-end", id: "reasoning-0" },
    ])
    expect(events.filter((event) => "id" in event && event.id === "c1" && event.type !== "tool-call")).toEqual([
      { type: "tool-input-start", id: "c1", name: "read" },
      ...['{"pa', 'th":"a"', "}"].map((delta) => ({ type: "tool-input-delta", id: "c1", delta })),
      { type: "tool-input-end", id: "c1" },
    ])
    expect(events.filter(({ type }) => type === "tool-call")).toEqual([
      { type: "tool-call", id: "c1", name: "read", input: '{"path":"a"}' },
      { type: "tool-call", id: "c2", name: "read", input: '{"path":"b"}' },
    ])
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "tool-calls" })
  })

  it("hand on broken arguments as the model wrote them", async () => {
    await using server = await modelServer({ replies: [reply(call("read", '{"path": "a', { id: "c1" }))] })

    expect(await ask(acme(server))).toContainEqual({
      type: "tool-call",
      id: "c1",
      name: "read",
      input: '{"path": "a',
    })
  })

  it("give two calls with one id two ids", async () => {
    await using server = await modelServer({
      replies: [reply(call("read", { path: "a" }, { id: "same" }), call("read", { path: "b" }, { id: "same" }))],
    })

    const ids = (await ask(acme(server))).flatMap((event) => (event.type === "tool-call" ? [event.id] : []))

    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
  })

  it.each([
    ["length", "length"],
    ["content-filter", "content-filter"],
    ["stop", "tool-calls"],
    ["something-new", "unknown"],
  ])("end for %s as %s after a tool call", async (wire, reason) => {
    await using server = await modelServer({ replies: [reply(call("read", { path: "a" }), finish(wire))] })

    expect((await ask(acme(server))).at(-1)).toMatchObject({ type: "finish", reason })
  })

  it("may be empty", async () => {
    await using server = await modelServer({ replies: [empty()] })

    expect((await ask(acme(server))).map(({ type }) => type)).toEqual(["start", "start-step", "finish-step", "finish"])
  })

  it("lose and reorder nothing over many deltas", async () => {
    await using server = await modelServer({ replies: [reply(text("first "), deltas({ text: "x", count: 5000 }))] })

    const answer = (await ask(acme(server))).map((event) => (event.type === "text-delta" ? event.text : "")).join("")

    expect(answer).toBe(`first ${"x".repeat(5000)}`)
  })
})
