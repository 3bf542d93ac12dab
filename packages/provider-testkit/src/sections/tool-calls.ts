import { call, reply } from "@pawl/model-server"
import { expect } from "vitest"
import { callsOf } from "../events.ts"
import { toHistory, user } from "../samples.ts"
import { section } from "../section.ts"

export const toolCalls = section("tool calls", {
  "carry name and arguments, several in the order in which they came": async ({ start }) => {
    const { ask } = await start([reply(call("read", { path: "a" }), call("read", { path: "b", offset: 1 }))])
    const calls = callsOf(await ask())
    expect(calls.map(({ name, input }) => [name, JSON.parse(input) as unknown])).toEqual([
      ["read", { path: "a" }],
      ["read", { path: "b", offset: 1 }],
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
  },
  "without arguments have an object without keys": async ({ start }) => {
    const { ask } = await start([reply(call("list", {}))])
    expect(callsOf(await ask()).map(({ input }) => JSON.parse(input) as unknown)).toEqual([{}])
  },
  "are one event each, behind all of their arguments": async ({ start }) => {
    const { ask } = await start([reply(call("read", { path: "a" }), call("read", { path: "b" }))])
    const events = await ask()
    for (const { id } of callsOf(events)) {
      const own = events.flatMap((event) => ("id" in event && event.id === id ? [event.type] : []))
      expect(own.filter((type) => type === "tool-call")).toEqual(["tool-call"])
      expect(own.slice(0, -1).every((type) => type.startsWith("tool-input"))).toBe(true)
    }
  },
  "go back to the server with their results": async ({ start }) => {
    const { ask, sent } = await start([reply(call("read", { path: "a" }), call("read", { path: "b" })), reply()])
    const messages = [user("Look."), ...toHistory(await ask({ messages: [user("Look.")] }), "line 1")]
    await ask({ messages })
    expect(sent(1).turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"])
    expect(sent(1).turns[1]?.parts.filter(({ type }) => type === "call")).toEqual([
      { type: "call", name: "read", input: { path: "a" } },
      { type: "call", name: "read", input: { path: "b" } },
    ])
    expect(sent(1).turns[2]?.parts).toEqual([
      { type: "result", output: "line 1" },
      { type: "result", output: "line 1" },
    ])
  },
})
