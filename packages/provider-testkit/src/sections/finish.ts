import { call, finish, reply, text } from "@pawl/model-server"
import { expect } from "vitest"
import { finishOf } from "../events.ts"
import { section } from "../section.ts"

export const finishReasons = section("finish", {
  "is stop for an answer that came to its end": async ({ start }) => {
    const { ask } = await start([reply(text("Hi"))])
    expect(finishOf(await ask()).reason).toBe("stop")
  },
  "is tool-calls for an answer with calls": async ({ start }) => {
    const { ask } = await start([reply(text("I look."), call("read", { path: "a" }))])
    expect(finishOf(await ask()).reason).toBe("tool-calls")
  },
  "is length where the model had to stop": async ({ start }) => {
    const { ask } = await start([reply(text("Half a "), finish("length"))])
    expect(finishOf(await ask()).reason).toBe("length")
  },
  "is content-filter where it was not allowed to go on": async ({ start }) => {
    const { ask } = await start([reply(text("I "), finish("content-filter"))])
    expect(finishOf(await ask()).reason).toBe("content-filter")
  },
  "is tool-calls for calls behind which the server says stop": async ({ start }) => {
    const { ask } = await start([reply(call("read", { path: "a" }), finish("stop"))])
    expect(finishOf(await ask()).reason).toBe("tool-calls")
  },
})
