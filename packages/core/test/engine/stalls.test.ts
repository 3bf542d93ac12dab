import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { answeringModel, lastPrompt } from "../answering-model.ts"
import { type TestEngine, testEngine, testTool } from "../engine-fixture.ts"
import { called, ended, said, streamingModel } from "../streaming-model.ts"
import { plugin } from "../window-model.ts"
import { createEngine } from "../../src/create-engine.ts"
import type { ModelEvent, Provider } from "../../src/contracts/model.ts"

const never = () => new Promise<never>(() => undefined)
/** Ends as it should once it is told to, and not before. */
const untilStopped = (signal: AbortSignal) => {
  return new Promise<never>((_done, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
}

const DEADLINE = 40
/** Without any, a test that waits for one does not end. */
const none = {
  ...{ firstEvent: 0, idle: 0, tool: 0, subagent: 0, abort: 0, question: 0 },
  ...{ image: 0, guardHook: 0, transformHook: 0 },
}
const short = { ...none, firstEvent: DEADLINE, idle: DEADLINE, tool: DEADLINE, subagent: DEADLINE, question: DEADLINE }
const shortHooks = { guardHook: DEADLINE, transformHook: DEADLINE }

/** Resolves when the session is idle, or asks the model once more. */
function settled(test: TestEngine): Promise<void> {
  return new Promise((resolve) => {
    test.engine.subscribe(({ type, properties }) => {
      if (type !== "session.status" || !("status" in properties) || properties.sessionID !== test.session.id) return
      if (properties.status.type !== "busy") resolve()
    })
  })
}

async function isSettled(test: TestEngine): Promise<boolean> {
  const messages = await test.messages()
  return messages.every(({ info, parts }) => {
    const areCallsOver = parts.every(
      (part) => part.type !== "tool" || ["completed", "error"].includes(part.state.status),
    )
    return areCallsOver && (info.role === "user" || info.time.completed !== undefined)
  })
}

const usage = { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } }
const events: readonly ModelEvent[] = [
  { type: "start" },
  { type: "start-step" },
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", text: "Hm." },
  { type: "reasoning-end", id: "r" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", text: "Well" },
  { type: "text-end", id: "t" },
  { type: "tool-input-start", id: "c", name: "look" },
  { type: "tool-input-delta", id: "c", delta: "{}" },
  { type: "tool-input-end", id: "c" },
  { type: "tool-call", id: "c", name: "look", input: "{}" },
  { type: "tool-call", id: "p", name: "search", input: "{}", providerExecuted: true },
  { type: "tool-result", id: "p", name: "search", output: "found" },
  { type: "tool-error", id: "q", name: "search", error: "nothing found" },
  { type: "finish-step", reason: "tool-calls", usage },
]
const stalls = [[-1, "nothing"] as const, ...events.map(({ type }, at) => [at, `${at}: ${type}`] as const)]

describe.each(stalls)("a model that falls silent after %#, %s", (at) => {
  const model = (onSilence?: () => void) =>
    streamingModel(async function* () {
      yield* events.slice(0, at + 1)
      onSilence?.()
      // Nor does it heed its signal.
      await never()
    })
  const tools = [testTool("look", async () => "ok")]

  it("is given up at its deadline", async () => {
    await using test = await testEngine({ model: model(), tools, deadlines: short })
    const givenUp = settled(test)
    const asked = test.ask("Begin")
    await givenUp
    await test.engine.abort(test.session.id)
    await asked
    expect(await isSettled(test)).toBe(true)
  })

  it("is left at once when the run is aborted", async () => {
    const silent = Promise.withResolvers<void>()
    await using test = await testEngine({ model: model(silent.resolve), tools, deadlines: none })
    const asked = test.ask("Begin")
    await silent.promise
    await test.engine.abort(test.session.id)
    expect((await asked).type).toBe("aborted")
    expect(await isSettled(test)).toBe(true)
  })
})

type Options = Partial<Parameters<typeof testEngine>[0]>
const ask = [{ name: "configuration", rules: [{ permission: "look", pattern: "*", action: "ask" }] }] as const
const look = testTool("look", async () => "ok")
const states: readonly (readonly [string, Options])[] = [
  ["its guard", { tools: [look], plugins: [plugin("slow", { "tool.execute.before": never })] }],
  ["what it needs", { tools: [testTool("look", async () => "ok", { permissions: never })] }],
  ["a permission", { tools: [look], permission: ask, ask: never }],
  [
    "a permission from a plugin",
    { tools: [look], permission: ask, plugins: [plugin("slow", { "permission.ask": never })] },
  ],
  ["its work", { tools: [testTool("look", (_input, { signal }) => untilStopped(signal))] }],
  ["who is told afterwards", { tools: [look], plugins: [plugin("slow", { "tool.execute.after": never })] }],
  [
    "an answer to its question",
    {
      tools: [testTool("look", async (_input, context) => String(await context.ask([])))],
      askChoice: never,
    },
  ],
  [
    "a subagent",
    {
      tools: [
        testTool(
          "look",
          async (_input, context) =>
            (await context.delegate({ description: "x", prompt: "Deep", agent: "general" })).text,
          { deadline: 0 },
        ),
      ],
    },
  ],
]

describe.each(states)("a call that waits in vain for %s", (_what, options) => {
  const model = () =>
    answeringModel(({ request, signal }) => {
      if (lastPrompt(request) === "Deep") return stopped(signal)
      return request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("look")]
    })
  async function* stopped(signal: AbortSignal): AsyncGenerator<ModelEvent> {
    yield { type: "start" }
    await untilStopped(signal)
  }

  it("is over at its deadline", async () => {
    const deadlines = { ...short, ...shortHooks, idle: 0, firstEvent: 0 }
    await using test = await testEngine({ model: model(), ...options, deadlines })
    await test.ask("Begin")
    expect(await isSettled(test)).toBe(true)
  })

  it("is over at once when the run is aborted, and no other begins", async () => {
    await using test = await testEngine({ model: model(), ...options, deadlines: none })
    const asked = test.ask("Begin")
    await expect
      .poll(() =>
        test.events.some((event) => event.type === "message.part.updated" && event.properties.part.type === "tool"),
      )
      .toBe(true)
    // A little into the call.
    await new Promise((resolve) => setTimeout(resolve, 10))
    await test.engine.abort(test.session.id)
    expect((await asked).type).toBe("aborted")
    expect(await isSettled(test)).toBe(true)
    expect(await test.parts("tool")).toHaveLength(1)
  })
})

it("the table above has every kind of event but those that end a stream", () => {
  const kinds = new Set(events.map(({ type }) => type))
  const rest: readonly ModelEvent["type"][] = ["finish", "error"]
  expect(kinds.size + rest.length).toBe(17)
  expect(ended().type).toBe("finish")
})

describe("a provider that does not give its model", () => {
  const create = async (deadlines: object) => {
    const model = answeringModel(() => said("Yes."))
    const storage = memoryStorage()
    const provider: Provider = {
      ...{ id: model.ref.providerID, name: "test", models: async () => [model.info] },
      model: (id) => (id === "answers" ? Promise.resolve(model) : never()),
    }
    const engine = await createEngine({ storage, providers: [provider], deadlines, environment: {} })
    const { id: sessionID } = await engine.createSession({ directory: "/nowhere" })
    const ask = (modelID: string) => {
      const parts = [{ type: "text", text: "Hello" } as const]
      return engine.prompt({ sessionID, parts, model: { providerID: "answers", modelID } })
    }
    return { engine, ask }
  }

  it("is not waited for beyond its deadline", async () => {
    const { engine, ask } = await create(short)
    await expect(ask("other")).rejects.toThrow('Provider "answers" did not give "other" within 0.04 s.')
    expect(await ask("answers")).toMatchObject({ type: "answered" })
    await engine.close()
  })
})

it("a deadline that is no number is refused", async () => {
  const engine = testEngine({ model: streamingModel(), deadlines: { tool: Number.NaN } })
  await expect(engine).rejects.toThrow("deadlines.tool is NaN: it must be 0 ms, for none, or more.")
})
