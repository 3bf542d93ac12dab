import { memoryStorage } from "@pawl/storage-memory"
import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import type { AssistantMessage } from "../../src/record/message.ts"

it("stores what an answer cost while its calls still run", async () => {
  const release = Promise.withResolvers<string>()
  const wait = testTool("wait", () => release.promise)
  const model = scriptedModel([
    [call("wait", {}), finish("tool-calls", { input: 100, output: 20 })],
    [text("Done."), finish("stop")],
  ])
  const storage = memoryStorage()
  await using test = await testEngine({ model, tools: [wait], storage })
  const stored = async () => {
    const page: AssistantMessage[] = []
    for await (const { info } of storage.readMessages(test.session.id)) if (info.role === "assistant") page.push(info)
    return page.at(-1)
  }
  const isPaid = Promise.withResolvers<void>()
  test.engine.subscribe(({ type, properties }) => {
    if (type === "message.updated" && properties.info.role === "assistant" && properties.info.tokens.input > 0) {
      isPaid.resolve()
    }
  })

  const asked = test.ask("Wait.")
  await isPaid.promise

  // What a process that takes over finds.
  expect(await stored()).toMatchObject({
    tokens: { input: 100, output: 20 },
    requests: 1,
    time: { created: expect.any(Number) },
  })
  expect((await stored())?.time.completed).toBeUndefined()
  release.resolve("Waited.")
  expect(await asked).toMatchObject({ type: "answered" })
  expect(await stored()).toMatchObject({ tokens: { input: 100, output: 20 }, requests: 1, finish: "tool-calls" })
})
