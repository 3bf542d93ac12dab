import { describe, expect, it } from "vitest"
import { memoryStorage } from "@pawl/storage-memory"
import { answeringModel, lastPrompt, paidByAnswers } from "../answering-model.ts"
import { testEngine, testTool } from "../engine-fixture.ts"
import { called, said } from "../streaming-model.ts"
import { taskTool } from "../task-tool.ts"
import { ProviderError } from "../../src/base/errors.ts"
import type { Model, ModelEvent } from "../../src/contracts/model.ts"
import type { Storage } from "../../src/contracts/storage.ts"
import type { RunLimits } from "../../src/budget/limits.ts"

const look = testTool("look", async () => "ok")
/** Looks for ever; each answer takes 20 tokens and costs 20 millionths of a dollar. */
const tireless = () =>
  paidByAnswers(
    answeringModel(({ request }) => [called("look", { n: request.messages.length }, `c${request.messages.length}`)]),
  )
const broken = () => new ProviderError("transient", "The connection is gone.")
const noDelay = { retry: { attempts: 5, total: 0, delay: 0 } }

describe("a limit of requests", () => {
  it("counts each attempt, and leaves a session that can be gone on with", async () => {
    let failures = 9
    const model = answeringModel(async function* () {
      await Promise.resolve()
      if (failures-- > 0) throw broken()
      yield* said("Yes.")
    })
    await using test = await testEngine({ model, ...noDelay, limits: { requests: 2 } })
    expect(await test.ask("Go")).toEqual({ type: "requests-spent", requests: 2, limit: 2 })
    const message = (await test.messages()).find(({ info }) => info.role === "assistant")
    expect(message?.info).toMatchObject({ finish: "unknown", requests: 2, time: { completed: expect.any(Number) } })
    failures = 0
    expect(await test.engine.resume(test.session.id)).toMatchObject({ type: "answered" })
  })

  it("of a step begins anew with the next one, and counts those of subagents", async () => {
    const model = answeringModel(({ request, n }) => {
      if (lastPrompt(request) === "Begin") return n < 2 ? [called("task", { prompt: "go" }, `t${n}`)] : said("Done.")
      return [called("look", { n: request.messages.length }, `c${n}`)]
    })
    await using test = await testEngine({ model, tools: [look, taskTool()], limits: { step: { requests: 3 } } })
    expect(await test.ask("Begin")).toMatchObject({ type: "answered" })
    // Two steps with a subagent that is ended after two requests, and the answer.
    expect(model.requests).toHaveLength(7)
    expect((await test.parts("tool"))[0]?.state).toMatchObject({ output: expect.stringContaining("3 requests") })
  })

  it("of a step ends a run whose attempts spend it", async () => {
    const model = answeringModel(async function* (): AsyncGenerator<ModelEvent> {
      yield* await Promise.reject<ModelEvent[]>(broken())
    })
    await using test = await testEngine({ model, ...noDelay, limits: { step: { requests: 2 } } })
    expect(await test.ask("Go")).toEqual({ type: "requests-spent", requests: 2, limit: 2, scope: "step" })
  })
})

describe("a limit of tokens or costs", () => {
  it("keeps a request from being made that would lead beyond it by its estimate alone", async () => {
    const model = answeringModel(() => said("Yes."))
    await using test = await testEngine({ model, limits: { tokens: 40 } })
    const refused = { type: "tokens-spent", tokens: 0, limit: 40, next: expect.any(Number) as number }
    expect(await test.ask("Go")).toEqual(refused)
    expect(await test.engine.resume(test.session.id)).toEqual(refused)
    expect(model.requests).toEqual([])
    expect((await test.messages()).every(({ info }) => info.role === "user")).toBe(true)
    const parts = [{ type: "text", text: "Again" } as const]
    const limits = { tokens: 100_000 }
    expect(await test.engine.prompt({ sessionID: test.session.id, parts, limits })).toMatchObject({ type: "answered" })
  })

  it("of a session holds over its runs, until it is raised", async () => {
    const model = tireless()
    await using test = await testEngine({ model, tools: [look], limits: { steps: 2, session: { cost: 70e-6 } } })
    expect(await test.ask("Go")).toMatchObject({ type: "steps-spent" })
    const spent = { type: "cost-spent", scope: "session", limit: 70e-6, cost: expect.closeTo(80e-6, 9) as number }
    expect(await test.ask("On")).toEqual(spent)
    expect(await test.ask("On")).toEqual(spent)
    expect(await test.engine.resume(test.session.id)).toEqual(spent)
    test.engine.update({ limits: { steps: 1, session: { cost: 1 } } })
    expect(await test.engine.resume(test.session.id)).toMatchObject({ type: "steps-spent" })
    expect(model.requests).toHaveLength(5)
  })

  it("of a session begins anew in a fork, whose copies are marked as paid for elsewhere", async () => {
    const model = tireless()
    await using test = await testEngine({ model, tools: [look], limits: { session: { cost: 30e-6 } } })
    expect(await test.ask("Go")).toMatchObject({ type: "cost-spent", scope: "session" })
    const fork = await test.engine.forkSession({ sessionID: test.session.id })
    const answers = (await test.messages()).filter(({ info }) => info.role === "assistant").map(({ info }) => info.id)
    const { messages } = await test.storage.readContext(fork.id)
    const copies = messages.flatMap(({ info }) => (info.role === "assistant" ? [info.copyOf] : []))
    expect(copies).toEqual(answers)
    expect(await test.engine.resume(fork.id)).toMatchObject({ type: "cost-spent", cost: expect.closeTo(40e-6, 9) })
    expect(model.requests).toHaveLength(4)
  })

  it("counts the estimate of an answer that broke off", async () => {
    const model = paidByAnswers(
      answeringModel(async function* ({ n }) {
        yield* said(n === 0 ? "x".repeat(4000) : "Yes.")
        if (n === 0) throw broken()
      }),
    )
    await using test = await testEngine({ model, ...noDelay })
    await test.ask("Go")
    const [info] = (await test.messages()).flatMap((message) => (message.info.role === "assistant" ? message.info : []))
    expect(info).toMatchObject({ requests: 2, cost: expect.closeTo(2020e-6, 9) as number })
    expect(info?.estimated?.cost).toBeCloseTo(2000e-6, 9)
    expect(await test.parts("retry")).toMatchObject([{ attempt: 1, cost: info?.estimated?.cost }])
  })

  it("is told not to hold where prices are not known", async () => {
    const model = answeringModel(() => said("Yes."))
    const free = { ...model, info: { ...model.info, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } } }
    await using test = await testEngine({ model: free, limits: { cost: 1 } })
    await test.ask("Go")
    const notices = test.events.flatMap(({ type, properties }) => (type === "session.notice" ? [properties] : []))
    expect(notices).toMatchObject([{ message: expect.stringContaining("provider.answers.models.answers.cost") }])
  })
})

describe("a day's limit", () => {
  const limits: RunLimits = { day: { cost: 50e-6 } }

  it("holds over sessions and processes, and ends with the day", async () => {
    const storage = memoryStorage()
    let time = new Date(2026, 4, 5, 23, 0).getTime()
    const now = () => time++
    const model = tireless()
    await using first = await testEngine({ model, storage, now, tools: [look], limits: { steps: 1 } })
    await using second = await testEngine({ model, storage, now, tools: [look], limits: { ...limits, steps: 1 } })
    await first.ask("Go")
    expect(await second.ask("Go")).toMatchObject({ type: "steps-spent" })
    // By another engine, after this one has read the day.
    await first.ask("Go")
    await expect
      .poll(() => second.ask("Go"))
      .toMatchObject({ type: "cost-spent", scope: "day", cost: expect.closeTo(60e-6, 9) as number })
    expect(model.requests).toHaveLength(3)
    time = new Date(2026, 4, 6, 0, 1).getTime()
    expect(await second.ask("Go")).toMatchObject({ type: "steps-spent" })
  })

  it("is read again where it could not be", async () => {
    const storage = memoryStorage()
    const model = tireless()
    await using first = await testEngine({ model, storage, tools: [look], limits: { steps: 3 } })
    await first.ask("Go")
    let isAway = true
    const listSessions: Storage["listSessions"] = (query) => {
      if (isAway) throw new Error("The database is away.")
      return storage.listSessions(query)
    }
    const away = { ...storage, listSessions }
    await using second = await testEngine({ model, storage: away, tools: [look], limits: { steps: 1, ...limits } })
    await expect(second.ask("Go")).rejects.toThrow("The database is away.")
    isAway = false
    expect(await second.ask("Go")).toMatchObject({ type: "cost-spent", cost: expect.closeTo(60e-6, 9) as number })
  })

  it("says why an attempt is not made where what was spent cannot be read", async () => {
    const storage = memoryStorage()
    let time = new Date(2026, 4, 5, 23, 0).getTime()
    let isAway = false
    const listSessions: Storage["listSessions"] = (query) => {
      if (isAway) throw new Error("The database is away.")
      return storage.listSessions(query)
    }
    const model = paidByAnswers(
      answeringModel(async function* (): AsyncGenerator<ModelEvent> {
        time += 3_600_000
        isAway = true
        yield* await Promise.reject<ModelEvent[]>(broken())
      }),
    )
    const away = { ...storage, listSessions }
    await using test = await testEngine({ model, storage: away, now: () => time++, ...noDelay, limits })
    expect(await test.ask("Go")).toMatchObject({
      type: "failed",
      error: { data: { message: "The database is away." } },
    })
  })

  it("holds where the watch of others has ended", async () => {
    const storage = memoryStorage()
    const model = tireless()
    const watch: Storage["watch"] = async function* () {
      yield* []
      throw await Promise.resolve(new Error("The connection is gone."))
    }
    await using second = await testEngine({
      model,
      storage: { ...storage, watch },
      tools: [look],
      limits: { steps: 1, ...limits },
    })
    expect(await second.ask("Go")).toMatchObject({ type: "steps-spent" })
    await using first = await testEngine({ model, storage, tools: [look], limits: { steps: 2 } })
    await first.ask("Go")
    expect(await second.ask("Go")).toMatchObject({ type: "cost-spent", cost: expect.closeTo(60e-6, 9) as number })
  })

  it("lets others go on where a step could not begin", async () => {
    const storage = memoryStorage()
    let isFull = true
    const commit: Storage["commit"] = async (id, writes, lease) => {
      const begins = writes.some((write) => write.type === "message.put" && write.message.role === "assistant")
      if (!begins || !isFull) return storage.commit(id, writes, lease)
      isFull = false
      throw new Error("The disk is full.")
    }
    const full = { ...storage, commit }
    await using test = await testEngine({
      model: tireless(),
      storage: full,
      tools: [look],
      limits: { steps: 1, ...limits },
    })
    const { id: sessionID } = await test.engine.createSession({ directory: test.session.directory })
    await expect(test.ask("Go")).rejects.toThrow("The disk is full.")
    const parts = [{ type: "text", text: "Go" } as const]
    expect(await test.engine.prompt({ sessionID, parts })).toMatchObject({ type: "steps-spent" })
  })
})

describe("what is stored of a session that came from elsewhere", () => {
  it.each<RunLimits>([{ session: { cost: 30e-6 } }, { day: { cost: 30e-6 } }])(
    "gives nothing back to %j",
    async (limits) => {
      const model = tireless()
      await using test = await testEngine({ model, tools: [look], limits: { steps: 1 } })
      await test.ask("Go")
      const [, answer] = await test.messages()
      if (answer?.info.role !== "assistant") return expect.fail("There is no answer.")
      const { storage, session } = test
      const tokens = { ...answer.info.tokens, input: -1e9 }
      await storage.commit(session.id, [{ type: "message.put", message: { ...answer.info, cost: -1, tokens } }])
      await using next = await testEngine({ model, storage, session, tools: [look], limits: { steps: 9, ...limits } })
      expect(await next.ask("On")).toMatchObject({ type: "cost-spent", cost: expect.closeTo(40e-6, 9) as number })
    },
  )
})

describe("a model that miscounts", () => {
  it.each([Number.NaN, -1e9, Infinity])("by %d tokens lifts no limit", async (output) => {
    const model = tireless()
    const odd: Model = {
      ...model,
      async *stream(request, signal) {
        for await (const event of model.stream(request, signal))
          yield event.type === "finish" ? { ...event, usage: { ...event.usage, output } } : event
      },
    }
    await using test = await testEngine({ model: odd, tools: [look], limits: { tokens: 45, steps: 9 } })
    expect(await test.ask("Go")).toMatchObject({ type: "tokens-spent" })
    expect(model.requests.length).toBeLessThanOrEqual(5)
  })
})

describe("a limit of time", () => {
  it.each<[RunLimits, string]>([
    [{ step: { time: 30 } }, "step"],
    [{ session: { time: 30 } }, "session"],
    [{ day: { time: 30 } }, "day"],
  ])("%j ends what is under way", async (limits, scope) => {
    const hang = testTool("hang", (_input, { signal }) => {
      return new Promise((_done, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
    })
    await using test = await testEngine({ model: answeringModel(() => [called("hang")]), tools: [hang], limits })
    expect(await test.ask("Go")).toMatchObject({ type: "deadline-passed", deadline: 30, scope })
  })
})
