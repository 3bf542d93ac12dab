import { call, deltas, empty, reasoning, reply, text } from "@pawl/model-server"
import { expect } from "vitest"
import { blocksOf, textOf, typesOf } from "../events.ts"
import { section } from "../section.ts"

export const eventOrder = section("event order", {
  "begins with start and start-step, ends with finish-step and finish, each of them once": async ({ start }) => {
    const { ask } = await start([reply(reasoning("Hm."), text("I look."), call("read", { path: "a" }))])
    const types = typesOf(await ask())
    expect(types.slice(0, 2)).toEqual(["start", "start-step"])
    expect(types.slice(-2)).toEqual(["finish-step", "finish"])
    for (const once of ["start", "start-step", "finish-step", "finish"]) {
      expect(types.filter((type) => type === once)).toEqual([once])
    }
  },
  "opens every text and every call before its pieces, and closes it after them": async ({ start }) => {
    const { ask } = await start([
      reply(text(["I ", "look."]), call("read", { path: "a" }), call("read", { path: "b" })),
    ])
    const blocks = blocksOf(await ask())
    expect(blocks.map(({ type }) => type)).toEqual(["text", "tool-input", "tool-input"])
    for (const { events } of blocks) {
      expect(events[0]).toBe("start")
      expect(events.at(-1)).toBe("end")
      expect(events.slice(1, -1)).toEqual(events.slice(1, -1).map(() => "delta"))
    }
  },
  "gives a text in the pieces in which it came": async ({ start }) => {
    const { ask } = await start([reply(text(["Hel", "lo", "."]))])
    const pieces = (await ask()).flatMap((event) => (event.type === "text-delta" ? [event.text] : []))
    expect(pieces.filter((piece) => piece !== "")).toEqual(["Hel", "lo", "."])
  },
  "loses and reorders nothing over many pieces": async ({ start }) => {
    const { ask } = await start([reply(text("first "), deltas({ text: ["a", "b", "c"], count: 3000 }))])
    expect(textOf(await ask())).toBe(`first ${"abc".repeat(1000)}`)
  },
  "ends an answer that says nothing like any other": async ({ start }) => {
    const { ask } = await start([empty()])
    const events = await ask()
    expect(textOf(events)).toBe("")
    expect(typesOf(events).slice(-2)).toEqual(["finish-step", "finish"])
    expect(events.at(-1)).toMatchObject({ reason: "stop" })
  },
  "sends nothing before the caller reads": async ({ start }) => {
    const { model, server } = await start([reply(text("Hi"))])
    const request = { sessionID: "s", system: [], tools: [], settings: {}, headers: {} }
    const content = [{ type: "text", text: "Hi" }] as const
    const events = model.stream({ ...request, messages: [{ role: "user", content }] }, new AbortController().signal)
    await new Promise(setImmediate)
    expect(server.requests).toHaveLength(0)
    await events[Symbol.asyncIterator]().next()
    expect(server.requests).toHaveLength(1)
  },
})
