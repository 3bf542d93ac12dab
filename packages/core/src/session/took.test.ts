import { setTimeout as delay } from "node:timers/promises"
import { call, finish, scriptedModel, text, wait } from "@pawl/provider-replay"
import { expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"

it("notes how long a request took, without its calls and without the attempt before it", async () => {
  const model = scriptedModel([
    [wait(50), call("nap", {}), finish("tool-calls")],
    [text("Done."), finish("stop")],
  ])
  const nap = testTool("nap", async () => {
    await delay(400)
    return "slept"
  })
  await using test = await testEngine({ model, tools: [nap] })
  await test.ask("Go")

  const [calling, answering] = await test.parts("step-finish")
  const [slept] = await test.parts("tool")
  const time = slept?.state.status === "completed" ? slept.state.time : { start: 0, end: 0 }
  expect(calling?.took).toBeGreaterThanOrEqual(49)
  expect(calling?.took).toBeLessThan(time.end - time.start)
  expect(answering?.took).toBeLessThan(time.end - time.start)
})
