import { describe, expect, it } from "vitest"
import { answeringModel, lastPrompt, paidByAnswers, silence } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import { ProviderError } from "../base/errors.ts"
import { look as place, looking, windowModel } from "../../test/window-model.ts"
import type { RunLimits } from "./limits.ts"

const look = testTool("look", async () => "ok")
/** Looks for ever; each request costs 20 millionths of a dollar. */
const tireless = () =>
  paidByAnswers(
    answeringModel(({ request }) => [called("look", { n: request.messages.length }, `c${request.messages.length}`)]),
  )

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
    await using test = await testEngine({
      model: paidByAnswers(answeringModel(() => said("Yes."))),
      limits: { cost: 1e-6, steps: 1 },
    })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  })

  it("counts what subagents take, and ends them too", async () => {
    const model = paidByAnswers(
      answeringModel(({ request, n }) => {
        if (lastPrompt(request) === "Begin") return [called("task", { prompt: "go" }, `c${n}`)]
        return [called("look", { n: request.messages.length }, `c${n}`)]
      }),
    )
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

  it.each(["steer", "queue", undefined] as const)(
    "is not evaded by a prompt that comes meanwhile (%s)",
    async (delivery) => {
      const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const wait = testTool("look", async () => {
        begun.resolve()
        await released.promise
        return "ok"
      })
      const model = tireless()
      await using test = await testEngine({ model, tools: [wait], limits: { steps: 2 } })
      const first = test.ask("Go")
      await begun.promise
      const parts = [{ type: "text", text: "And that" } as const]
      const second = test.engine.prompt({ sessionID: test.session.id, parts, ...(delivery ? { delivery } : {}) })
      await new Promise((resolve) => setTimeout(resolve, 20))
      released.resolve()
      expect(await first).toMatchObject({ type: "steps-spent" })
      expect(await second).toMatchObject({ type: "steps-spent" })
      expect(model.requests).toHaveLength(2)
    },
  )

  it("of the engine holds where work is gone on with", async () => {
    const model = tireless()
    await using test = await testEngine({ model, tools: [look], limits: { steps: 2 } })
    await test.ask("Go")
    expect(await test.engine.resume(test.session.id)).toMatchObject({ type: "steps-spent" })
    expect(model.requests).toHaveLength(4)
  })

  it("keeps a compaction that is asked for from being made once it is reached", async () => {
    const model = windowModel({ context: 100_000, agent: looking(3) })
    await using test = await testEngine({ model, tools: [place] })
    await test.ask("Look there.")
    await test.engine.close()
    const { storage, session } = test
    await using broke = await testEngine({ model, storage, session, limits: { cost: 0 } })
    expect(await broke.engine.compact(session.id)).toEqual({ type: "cost-spent", cost: 0, limit: 0 })
    expect(model.summaries).toEqual([])
  })

  it("counts what the title of a session takes", async () => {
    const named = Promise.withResolvers<void>()
    const namer = paidByAnswers(answeringModel(() => said("A title"), "namer"))
    const model = tireless()
    const wait = testTool("look", async () => (await named.promise, "ok"))
    await using test = await testEngine({ model, titleModel: namer.ref, tools: [wait], limits: { cost: 30e-6 } }, namer)
    test.engine.subscribe(({ type, properties }) => {
      if (type === "session.updated" && "info" in properties && properties.info.title === "A title") named.resolve()
    })
    expect(await test.ask("Go")).toEqual({ type: "cost-spent", cost: 40e-6, limit: 30e-6 })
    expect([model.requests.length, namer.requests.length]).toEqual([1, 1])
  })

  it("that is reached leaves a session without a title of its own", async () => {
    const namer = answeringModel(() => said("A title"), "namer")
    await using test = await testEngine({ model: tireless(), titleModel: namer.ref, limits: { cost: 0 } }, namer)
    expect(await test.ask("Go")).toMatchObject({ type: "cost-spent" })
    await test.engine.close()
    expect(namer.requests).toEqual([])
  })

  it.each([Number.NaN, -1])("of %d is refused before anything is stored", async (cost) => {
    await using test = await testEngine({ model: tireless(), limits: { cost } })
    await expect(test.ask("Go")).rejects.toThrow(/limits\.cost is .+: it must be 0 or more/)
    expect(await test.messages()).toEqual([])
  })
})

describe("subagents that work side by side", () => {
  const prompts = ["a", "b", "c", "d", "e"]
  const tasks = prompts.map((prompt) => called("task", { prompt }, prompt))

  it.each<[RunLimits, number]>([
    [{ steps: 3 }, 3],
    [{ cost: 50e-6 }, 3],
  ])("lead beyond %j by one request at most", async (limits, requests) => {
    const model = paidByAnswers(
      answeringModel(({ request, n }) => {
        if (lastPrompt(request) === "Begin") return n === 0 ? tasks : said("Done.")
        return [called("look", { n: request.messages.length }, `c${n}`)]
      }),
    )
    await using test = await testEngine({ model, tools: [look, taskTool()], limits })
    expect((await test.ask("Begin")).type).toMatch(/spent/)
    expect(model.requests).toHaveLength(requests)
  })

  it("do not wait for the answer that asked for them where it breaks off", async () => {
    const model = answeringModel(async function* ({ request }) {
      if (lastPrompt(request) !== "Begin") return yield* said("Yes.")
      yield* tasks.slice(0, 2)
      throw new ProviderError("transient", "The connection is gone.")
    })
    await using test = await testEngine({ model, tools: [taskTool()], limits: { steps: 2 } })
    expect(await test.ask("Begin")).toMatchObject({ type: "steps-spent" })
    expect((await test.parts("tool")).map(({ state }) => state.status)).toEqual(["completed", "completed"])
  })

  it("wait for their turn as long as it takes, and are not given up meanwhile", async () => {
    const model = answeringModel(async function* ({ request, n }) {
      if (lastPrompt(request) === "Begin") return yield* n === 0 ? tasks.slice(0, 2) : said("Done.")
      // Signs of life of its own, for longer than the other one may be silent.
      const signs = n === 0 ? 24 : 0
      for (let at = 0; at < signs; at++) {
        yield { type: "reasoning-start", id: `${at}` }
        yield { type: "reasoning-end", id: `${at}` }
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      yield* said("Done.")
    })
    const results: string[] = []
    const tools = [taskTool(({ status, text }) => results.push(`${status}: ${text}`))]
    await using test = await testEngine({ model, tools, limits: { steps: 2 }, deadlines: { subagent: 400 } })
    await test.ask("Begin")
    expect(results.toSorted()).toEqual(["completed: Done.", expect.stringMatching(/^failed: .*2 steps/)])
  })
})
