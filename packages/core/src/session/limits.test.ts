import { describe, expect, it } from "vitest"
import { answeringModel, lastPrompt, silence } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import type { RunLimits } from "./limits.ts"

const look = testTool("look", async () => "ok")
/** Looks for ever; each request costs 20 millionths of a dollar. */
const tireless = () =>
  answeringModel(({ request }) => [called("look", { n: request.messages.length }, `c${request.messages.length}`)])

describe("a run's limit", () => {
  it.each<[RunLimits, object, number]>([
    [{ steps: 3 }, { type: "steps-spent", steps: 3 }, 3],
    [{ cost: 30e-6 }, { type: "cost-spent", limit: 30e-6, cost: 40e-6 }, 2],
    [{ cost: 0 }, { type: "cost-spent", cost: 0, limit: 0 }, 0],
    [{ steps: 0 }, { type: "steps-spent", steps: 0 }, 0],
  ])("%j ends it before the next request", async (limits, result, requests) => {
    const model = tireless()
    await using test = await testEngine({ model, tools: [look] })
    const parts = [{ type: "text", text: "Go" } as const]
    expect(await test.engine.prompt({ sessionID: test.session.id, parts, limits })).toEqual(result)
    expect(model.requests).toHaveLength(requests)
  })

  it("of the engine holds where the prompt names none, and what the prompt names wins", async () => {
    const model = tireless()
    await using test = await testEngine({ model, tools: [look], limits: { steps: 2, cost: 1 } })
    expect(await test.ask("Go")).toMatchObject({ type: "steps-spent", steps: 2 })
    const parts = [{ type: "text", text: "Go" } as const]
    const limited = await test.engine.prompt({ sessionID: test.session.id, parts, limits: { steps: 1 } })
    expect(limited).toMatchObject({ type: "steps-spent", steps: 1 })
  })

  it("says that the work is over where it is, whatever it cost", async () => {
    await using test = await testEngine({ model: answeringModel(() => said("Yes.")), limits: { cost: 1e-6, steps: 1 } })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  })

  it("counts what subagents take, and ends them too", async () => {
    const model = answeringModel(({ request, n }) => {
      if (lastPrompt(request) === "Begin") return [called("task", { prompt: "go" }, `c${n}`)]
      return [called("look", { n: request.messages.length }, `c${n}`)]
    })
    await using test = await testEngine({ model, tools: [look, taskTool()] })
    const parts = [{ type: "text", text: "Begin" } as const]
    const result = await test.engine.prompt({ sessionID: test.session.id, parts, limits: { cost: 90e-6 } })
    expect(result).toMatchObject({ type: "cost-spent", limit: 90e-6 })
    expect(model.requests).toHaveLength(5)
    expect((await test.parts("tool"))[0]?.state).toMatchObject({ output: expect.stringContaining("US dollars") })
  })

  it.each(["the model", "a tool", "a subagent"])("of time ends %s that it is waiting for", async (what) => {
    const model = answeringModel(({ request, signal }) => {
      if (lastPrompt(request) !== "Begin" || what === "the model") return silence(signal)
      return [called(what === "a tool" ? "hang" : "task", { prompt: "go" })]
    })
    const hang = testTool("hang", (_input, { signal }) => {
      return new Promise((_done, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
    })
    await using test = await testEngine({ model, tools: [hang, taskTool()] })
    const parts = [{ type: "text", text: "Begin" } as const]
    const result = await test.engine.prompt({ sessionID: test.session.id, parts, limits: { deadline: 50 } })
    expect(result).toMatchObject({ type: "deadline-passed", deadline: 50, elapsed: expect.any(Number) })
    const messages = await test.messages()
    expect(messages.every(({ info }) => info.role === "user" || info.time.completed !== undefined)).toBe(true)
  })
})
