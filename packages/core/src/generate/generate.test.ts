import { describe, expect, it, onTestFinished, vi } from "vitest"
import { answeringModel, paidByAnswers, silence } from "../../test/answering-model.ts"
import { type TestEngineOptions, testEngine, testTool } from "../../test/engine-fixture.ts"
import { called, said } from "../../test/streaming-model.ts"
import type { ToolContext } from "../tool.ts"

const QUESTION = [{ role: "user" as const, content: [{ type: "text" as const, text: "What is it?" }] }]
const isAsked = ({ messages }: { readonly messages: readonly { readonly content: unknown }[] }) => {
  return JSON.stringify(messages).includes("What is it?")
}

/** A turn in which the tool `wonder` does this with its context. */
async function wondering(work: (context: ToolContext) => Promise<string>, more: Partial<TestEngineOptions> = {}) {
  const model = paidByAnswers(
    answeringModel(({ request, n }) => {
      if (isAsked(request)) return said("A thought.")
      return n === 0 ? [called("wonder", {}, "call_1")] : said("Done.")
    }),
  )
  const test = await testEngine({ model, tools: [testTool("wonder", (_input, context) => work(context))], ...more })
  const result = await test.ask("Go")
  const [part] = await test.parts("tool")
  return { test, model, result, part }
}

describe("an answer that a call has the model give", () => {
  it("comes from the session's model, as it was asked for and without tools", async () => {
    let given: unknown
    const { test, model, part } = await wondering(async (context) => {
      given = await context.generate({ system: "Be short.", messages: QUESTION, maxOutputTokens: 50, temperature: 0.2 })
      return "wondered"
    })
    expect(given).toEqual({ text: "A thought.", finish: "stop", model: model.ref })
    expect(model.requests.find((request) => isAsked(request))).toMatchObject({
      ...{ system: ["Be short."], tools: [], messages: QUESTION, settings: { maxOutputTokens: 50, temperature: 0.2 } },
    })
    expect(part?.state).toMatchObject({ status: "completed", output: "wondered" })
    await test[Symbol.asyncDispose]()
  })

  it("is paid for by the session and counts towards its limits", async () => {
    const once = 20 / 1_000_000
    const asking = async (context: ToolContext) => (await context.generate({ messages: QUESTION })).text
    const { test, result } = await wondering(asking, { limits: { steps: 2 } })
    expect(result).toEqual({ type: "steps-spent", steps: 2 })
    const answer = (await test.messages()).map(({ info }) => info).find((info) => info.role === "assistant")
    expect(answer).toMatchObject({ cost: expect.closeTo(2 * once, 9) as number, tokens: { input: 20 }, requests: 2 })
    await test[Symbol.asyncDispose]()
    const { result: spent, test: other } = await wondering(asking, { limits: { cost: 1.5 * once } })
    expect(spent).toMatchObject({ type: "cost-spent", cost: expect.closeTo(2 * once, 9) as number })
    await other[Symbol.asyncDispose]()
  })

  it("is not given once the call is over, nor is anything else that it asks for", async () => {
    let kept: ToolContext | undefined
    const { test, model } = await wondering(async (context) => {
      kept = context
      return "wondered"
    })
    const asked = model.requests.length
    const late = /wonder call has already finished/
    await expect(kept?.generate({ messages: QUESTION })).rejects.toThrow(late)
    await expect(kept?.authorize({ permission: "x", patterns: ["y"] })).rejects.toThrow(late)
    await expect(kept?.ask([])).rejects.toThrow(late)
    await expect(kept?.delegate({ description: "x", prompt: "x", agent: "general" })).rejects.toThrow(late)
    expect(model.requests).toHaveLength(asked)
    expect(await test.parts("question")).toEqual([])
    await test[Symbol.asyncDispose]()
  })

  it("is not asked for once a limit is reached, which the call is told", async () => {
    const { test, model, part } = await wondering(
      async (context) => {
        const texts: string[] = []
        for (let n = 0; n < 3; n++) texts.push((await context.generate({ messages: QUESTION })).text)
        return texts.join()
      },
      { limits: { steps: 3 } },
    )
    expect(model.requests.filter((request) => isAsked(request))).toHaveLength(2)
    expect(part?.state).toMatchObject({ status: "error", error: expect.stringContaining("steps-spent") as string })
    await test[Symbol.asyncDispose]()
  })

  it("ends with its call", async () => {
    const model = answeringModel(({ request, n, signal }) => {
      if (isAsked(request)) return silence(signal)
      return n === 0 ? [called("wonder", {}, "call_1")] : said("Done.")
    })
    const wonder = testTool("wonder", async (_input, context) => {
      setImmediate(() => void test.engine.abort(test.session.id))
      return (await context.generate({ messages: QUESTION })).text
    })
    await using test = await testEngine({ model, tools: [wonder] })
    expect(await test.ask("Go")).toMatchObject({ type: "aborted" })
    expect(await test.parts("tool")).toMatchObject([{ state: { status: "error", metadata: { interrupted: true } } }])
  })
})

describe("what a call turns out to need", () => {
  const need = { permission: "deploy", patterns: ["production"] }
  const deploying = async (context: ToolContext) => {
    await context.authorize(need)
    return "deployed"
  }
  const asks = [{ name: "test", rules: [{ permission: "deploy", pattern: "*", action: "ask" as const }] }]

  it("is asked for while it runs, and stored as any other question", async () => {
    const asked: unknown[] = []
    const { test, part, result } = await wondering(deploying, {
      permission: asks,
      ask: async ({ permission, patterns }) => (asked.push({ permission, patterns }), "once"),
    })
    expect(result.type).toBe("answered")
    expect(asked).toEqual([need])
    expect(part?.state).toMatchObject({ status: "completed", output: "deployed" })
    expect(await test.parts("question")).toMatchObject([
      { about: { permission: "deploy" }, answer: { type: "permission", reply: "once" } },
    ])
    const events = test.events.map(({ type }) => type).filter((type) => type.startsWith("permission."))
    expect(events).toEqual(["permission.asked", "permission.replied"])
    await test[Symbol.asyncDispose]()
  })

  it("is refused as a call is: the run stops, and those who listen are told", async () => {
    const statuses: string[] = []
    const { test, part, result } = await wondering(deploying, {
      permission: asks,
      ask: async () => "reject",
      plugins: [{ id: "w", plugin: () => ({ "tool.execute.after": ({ status }) => void statuses.push(status) }) }],
    })
    expect(result.type).toBe("refused")
    expect(part?.state).toMatchObject({ status: "error", error: expect.stringContaining("deploy") as string })
    expect(statuses).toEqual(["denied"])
    await test[Symbol.asyncDispose]()
  })

  it("is denied by rules without anybody being asked", async () => {
    const rules = [{ permission: "deploy", pattern: "prod*", action: "deny" as const }]
    const { test, part, result } = await wondering(deploying, { permission: [{ name: "test", rules }] })
    expect(result.type).toBe("answered")
    expect(part?.state).toMatchObject({ status: "error", error: expect.stringContaining("denies") as string })
    await test[Symbol.asyncDispose]()
  })

  it("may take people longer than a tool may be silent", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
    onTestFinished(() => void vi.useRealTimers())
    const { test, part } = await wondering(deploying, {
      permission: asks,
      deadlines: { tool: 40 },
      ask: async () => {
        await vi.advanceTimersByTimeAsync(160)
        return "once"
      },
    })
    expect(part?.state).toMatchObject({ status: "completed" })
    await test[Symbol.asyncDispose]()
  })
})

it("follows a schema by the means of a provider that has them, and is paid for as often as it was asked", async () => {
  const schema = { type: "object", properties: { thought: { type: "string" } }, required: ["thought"] }
  const answers = [said("A thought."), said('{"thought":"deep"}')]
  const inner = answeringModel(({ request, n }) => {
    if (isAsked(request)) return answers.shift() ?? said("{}")
    return n === 0 ? [called("wonder", {}, "call_1")] : said("Done.")
  })
  const capabilities = { ...inner.info.capabilities, structuredOutput: true }
  const model = { ...inner, info: { ...inner.info, capabilities } }
  const wonder = testTool("wonder", async (_input, context) => {
    return JSON.stringify((await context.generate({ messages: QUESTION, schema })).json)
  })
  await using test = await testEngine({ model, tools: [wonder] })
  await test.ask("Go")
  const [part] = await test.parts("tool")
  expect(part?.state).toMatchObject({ status: "completed", output: '{"thought":"deep"}' })
  const asked = inner.requests.filter((request) => isAsked(request))
  expect(asked.map(({ responseFormat }) => responseFormat)).toEqual([{ schema }, { schema }])
  const answer = (await test.messages()).map(({ info }) => info).find((info) => info.role === "assistant")
  expect(answer).toMatchObject({ tokens: { input: 30 } })
})
