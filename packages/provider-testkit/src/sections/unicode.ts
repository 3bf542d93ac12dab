import { call, reply, text } from "@pawl/model-server"
import { expect } from "vitest"
import { callsOf, finishOf, textOf } from "../events.ts"
import { user } from "../samples.ts"
import { section } from "../section.ts"

const words = 'Grüße 👩‍👩‍👧 日本語 \u0000\u2028 \\ " \n\t é'

export const unicode = section("unicode", {
  "comes as it was said, wherever the bytes of the answer are divided": async ({ start }) => {
    const answer = reply(text(["ä👋日", words]), call("read", { path: words }))
    const { ask } = await start([answer], { byteByByte: true })
    const events = await ask()
    expect(textOf(events)).toBe(`ä👋日${words}`)
    expect(callsOf(events).map(({ input }) => JSON.parse(input) as unknown)).toEqual([{ path: words }])
    expect(finishOf(events).reason).toBe("tool-calls")
  },
  "goes to the server as it was said": async ({ start }) => {
    const { ask, sent } = await start([reply(text("Hi"))])
    await ask({ messages: [user(words)] })
    expect(sent(0).turns[0]?.parts).toEqual([{ type: "text", text: words }])
  },
})
