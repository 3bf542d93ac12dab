import { expect, it, onTestFinished, vi } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called, ended, said, streamingModel } from "../streaming-model.ts"

it("notes how long a request took, without its calls and without the attempt before it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] })
  onTestFinished(() => void vi.useRealTimers())
  const model = streamingModel(
    async function* () {
      await vi.advanceTimersByTimeAsync(50)
      yield* [called("nap", {}), ended("tool-calls")]
    },
    [...said("Done."), ended()],
  )
  const nap = testTool("nap", async () => {
    await vi.advanceTimersByTimeAsync(400)
    return "slept"
  })
  await using test = await testEngine({ model, tools: [nap] })
  await test.ask("Go")

  expect(await test.parts("step-finish")).toMatchObject([{ took: 50 }, { took: 0 }])
})
