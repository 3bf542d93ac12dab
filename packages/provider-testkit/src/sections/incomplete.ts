import { badJson, call, cut, end, reply, stall, start as head, text } from "@pawl/model-server"
import { expect } from "vitest"
import { textOf, typesOf } from "../events.ts"
import { section } from "../section.ts"
import { withLongerLimits } from "../with-longer-limits.ts"

export const incomplete = section("incomplete answers", {
  "that are reset before their first byte are transient failures": async ({ start }) => {
    const { failure, server } = await start([reply(cut())])
    expect((await failure()).error.kind).toBe("transient")
    expect(server.requests).toHaveLength(1)
  },
  "that are reset in a text break off, with what came before": async ({ start }) => {
    const { failure } = await start([reply(text("Half a "), cut())])
    const { error, events } = await failure()
    expect([error.kind, textOf(events)]).toEqual(["incomplete-stream", "Half a "])
    expect(typesOf(events)).not.toContain("finish")
  },
  "that are reset in a call break off without it": async ({ start }) => {
    const { failure } = await start([reply(text("I look."), call("read", ['{"pa']), cut())])
    const { error, events } = await failure()
    expect(error.kind).toBe("incomplete-stream")
    expect(typesOf(events)).not.toContain("tool-call")
  },
  "that end without a finish break off": async ({ start }) => {
    const { failure } = await start([reply(text("Half a "), end())])
    const { error, events } = await failure()
    expect([error.kind, textOf(events)]).toEqual(["incomplete-stream", "Half a "])
  },
  "that end with their head break off": async ({ start }) => {
    const { failure } = await start([reply(head(), end())])
    expect((await failure()).error.kind).toBe("incomplete-stream")
  },
  "that have no byte break off": async ({ start }) => {
    const { failure } = await start([reply(end())])
    expect((await failure()).error.kind).toBe("incomplete-stream")
  },
  "that hold what is not JSON break off": async ({ start }) => {
    const { failure } = await start([reply(text("a"), badJson(), text("b"))])
    expect((await failure()).error.kind).toBe("incomplete-stream")
  },
  "that fall silent end with the time limit": async ({ start }) => {
    for (const answer of [reply(stall()), reply(text("Half"), stall())]) {
      await withLongerLimits(100, async (timeout) => {
        const { failure, server } = await start([answer], { connection: { timeout } })
        expect((await failure()).error.kind).toBe("transient")
        await server.idle()
        expect(server.requests.map(({ aborted }) => aborted)).toEqual([true])
      })
    }
  },
})
