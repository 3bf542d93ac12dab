import { reply, stall, start as head, text } from "@pawl/model-server"
import { expect } from "vitest"
import { abortAt } from "../abort-at.ts"
import { sampleRequest } from "../samples.ts"
import { section } from "../section.ts"

export const abort = section("abort", {
  "before the request sends none": async ({ start }) => {
    const { ask, server } = await start([reply(text("Hi"))])
    await expect(ask({}, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" })
    expect(server.requests).toEqual([])
  },
  "before the first byte ends the stream and the connection": async ({ start }) => {
    await abortAt(await start([reply(stall())]))
  },
  "after the head of the answer ends the stream and the connection": async ({ start }) => {
    await abortAt(await start([reply(head(), stall())]))
  },
  "in the middle of a text ends the stream and the connection": async ({ start }) => {
    await abortAt(await start([reply(text("Half"), stall())]), "text-delta")
  },
  "by leaving the loop ends the connection": async ({ start }) => {
    const { model, server } = await start([reply(text("Half"), stall())])
    for await (const { type } of model.stream(sampleRequest(), new AbortController().signal)) {
      if (type === "text-delta") break
    }
    await server.idle()
    expect(server.requests.map(({ aborted }) => aborted)).toEqual([true])
  },
})
