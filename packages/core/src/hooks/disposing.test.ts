import { expect, it } from "vitest"
import { answeringModel } from "../../test/answering-model.ts"
import { testEngine } from "../../test/engine-fixture.ts"
import { said } from "../../test/streaming-model.ts"
import type { PluginEntry } from "../plugin.ts"

const model = () => answeringModel(() => said("Yes."))

it("is done once, also where a plugin closes the engine meanwhile and others do so twice", async () => {
  let disposed = 0
  const closing: PluginEntry = {
    id: "closing",
    plugin: ({ engine }) => ({
      async dispose() {
        if (disposed++ < 3) void engine.close()
        await new Promise((resolve) => setTimeout(resolve, 5))
      },
    }),
  }
  const test = await testEngine({ model: model(), plugins: [closing] })
  await Promise.all([test.engine.close(), test.engine.close(), test.engine.plugins.set([])])
  await test[Symbol.asyncDispose]()
  expect(disposed).toBe(1)
})

it("waits for a handler whose turn comes behind that of another plugin", async () => {
  const order: string[] = []
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: PluginEntry = {
    id: "slow",
    plugin: () => ({
      async "chat.message"() {
        begun.resolve()
        await released.promise
      },
    }),
  }
  const next: PluginEntry = {
    id: "next",
    plugin: () => ({ "chat.message": () => void order.push("told"), dispose: () => void order.push("disposed") }),
  }
  await using test = await testEngine({ model: model(), plugins: [slow, next] })
  const asked = test.ask("Go")
  await begun.promise
  await test.engine.plugins.set([slow])
  await new Promise((resolve) => setTimeout(resolve, 10))
  released.resolve()
  await asked
  await expect.poll(() => order).toEqual(["told", "disposed"])
})
