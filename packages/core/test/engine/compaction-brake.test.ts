import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import {
  around,
  calls,
  look,
  looking,
  said,
  summary,
  tokensOf,
  windowModel,
  type WindowModel,
  type WindowModelOptions,
} from "../window-model.ts"
import { ProviderError } from "../../src/base/errors.ts"
import type { EngineEvent, RunResult } from "../../src/index.ts"
import type { Tokens } from "../../src/record.ts"

/** The same model, which reports other numbers of input tokens than it has read, and refuses what is too long by them. */
function counting(model: WindowModel, count: (read: number) => number, limit = Infinity): WindowModel {
  return around(model, async function* (request, signal, stream) {
    const input = Math.round(count(tokensOf(request, 4)))
    if (input > limit) {
      throw new ProviderError("overflow", `prompt is too long: ${input} tokens > ${limit}`, { statusCode: 400 })
    }
    for await (const event of stream(request, signal)) {
      if (event.type !== "finish") yield event
      else yield { ...event, usage: { ...event.usage, input: Math.round(count(event.usage.input)) } satisfies Tokens }
    }
  })
}

/** Compactions that took effect (C) and answers of the agent (a), in their order. */
function sequence(events: readonly EngineEvent[]): string {
  const letters = events.map((event) => {
    if (event.type === "session.compacted" && event.properties.strategy !== "prune") return "C"
    const isAnswer = event.type === "message.part.updated" && event.properties.part.type === "step-finish"
    return isAnswer && !summaries(events).has(event.properties.part.messageID) ? "a" : ""
  })
  return letters.join("")
}

function summaries(events: readonly EngineEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => {
      if (event.type !== "message.updated" || event.properties.info.role !== "assistant") return []
      return event.properties.info.summary ? [event.properties.info.id] : []
    }),
  )
}

/** Whether three compactions follow each other with fewer than three answers in between. */
function isTooOften(order: string): boolean {
  const between = order.split("C").map((answers) => answers.length)
  return between.some((answers, at) => at > 0 && at + 2 < between.length && answers + (between[at + 1] ?? 0) < 3)
}

function expectStopped(result: RunResult) {
  if (result.type !== "failed") return expect.fail(result.type)
  expect(result.error.name).toBe("ContextOverflowError")
  expect(result.error.data).toMatchObject({ system: expect.any(Number), tools: expect.any(Number), usable: 31_000 })
  expect(result.error.data.message).toMatch(/system prompt and instructions \d+, tools \d+, messages \d+/)
  expect(result.error.data.message).toContain("compacted twice within the last three answers")
  expect(result.error.data.message).toMatch(/The text of the request is only about \d+ tokens/)
  expect(result.error.data.message).toMatch(/The largest results are look \(\d+ tokens\)/)
  return undefined
}

/** Reads four long outputs with each answer, which fills half of the window: none of them can be kept for long. */
const big = testTool(
  "look",
  async ({ at }) => Array.from({ length: 400 }, (_, n) => `${String(at)} line ${n} ${"x".repeat(60)}`).join("\n"),
  { effect: "pure" },
)
const reading: WindowModelOptions["agent"] = (_request, n) => {
  return n > 0 && n % 40 === 0
    ? said("Done.")
    : [0, 1, 2, 3].flatMap((at) => calls("look", { at: `place ${n} ${at}` }, `call_${n}_${at}`))
}
const half = (read: number) => read + 16_000

describe("a server that counts 85 % of the window more than it is sent", () => {
  const overhead = (context: number) => (read: number) => read + 0.85 * context

  it.each([16_000, 32_000, 64_000, 128_000, 200_000])(
    "never makes a third compaction within 3 answers: window %i",
    async (context) => {
      const model = counting(windowModel({ context, agent: looking(40) }), overhead(context), context)
      await using test = await testEngine({ model, tools: [look] })

      const result = await test.ask("Look everywhere.")

      if (result.type !== "answered") {
        expect(result).toMatchObject({ type: "failed", error: { name: "ContextOverflowError" } })
      }
      expect(isTooOften(sequence(test.events))).toBe(false)
    },
  )
})

describe("an agent whose answers fill half of a window, of which its server takes the other half", () => {
  it("ends the run with an error that names what fills the window, and pays for nothing after the last answer", async () => {
    const order: string[] = []
    const base = windowModel({
      context: 32_000,
      agent: (request, n) => (order.push("answer"), reading(request, n)),
      summarizer: () => (order.push("summary"), summary()),
    })
    const model = counting(base, half)
    await using test = await testEngine({ model, tools: [big] })

    expectStopped(await test.ask("Look everywhere."))

    expect(sequence(test.events)).toMatch(/Ca?a?Ca?a?$/)
    expect(order.at(-1)).toBe("answer")
  })

  it("names long arguments as well", async () => {
    const writing: WindowModelOptions["agent"] = (_request, n) =>
      [0, 1].flatMap((at) =>
        calls("look", { at: `${n} ${at}`, content: `${n} ${at} `.repeat(5000) }, `call_${n}_${at}`),
      )
    const model = counting(windowModel({ context: 32_000, agent: writing }), half)
    await using test = await testEngine({ model, tools: [big] })

    const result = await test.ask("Look everywhere.")

    expectStopped(result)
    const error = result.type === "failed" ? result.error.data.message : ""
    expect(error).toMatch(/The longest arguments of calls are those of look \(\d+ tokens\)/)
  })

  it("counts across restarts", async () => {
    const storage = memoryStorage()
    const model = counting(windowModel({ context: 32_000, agent: reading }), half)
    const limits = { steps: 1 }
    // Each engine counts its ids from a clock of its own, which need not agree with the one before.
    let time = Date.now()
    const now = () => time
    await using first = await testEngine({ model, tools: [big], storage, limits, now })
    let result = await first.ask("Look everywhere.")
    const events = [...first.events]
    for (let run = 0; run < 40 && result.type === "steps-spent"; run++) {
      time -= 60_000
      await using next = await testEngine({ model, tools: [big], storage, limits, now, session: first.session })
      result = await next.engine.resume(first.session.id)
      events.push(...next.events)
    }
    expectStopped(result)
    expect(isTooOften(sequence(events))).toBe(false)
  })

  it("leaves the session usable: the next message is answered again", async () => {
    const model = counting(windowModel({ context: 32_000, agent: reading }), half)
    await using test = await testEngine({ model, tools: [big] })
    expectStopped(await test.ask("Look everywhere."))
    const { length } = model.asked
    await test.ask("Go on, with less.")
    expect(model.asked.length).toBeGreaterThan(length)
  })
})

it.each([16_000, 32_000, 64_000])(
  "usage at 5 times the truth never makes a third compaction within 3 answers: window %i",
  async (context) => {
    const model = counting(windowModel({ context, agent: looking(40) }), (read) => read * 5)
    await using test = await testEngine({ model, tools: [look] })
    const result = await test.ask("Look everywhere.")
    if (result.type !== "answered") expect(result).toMatchObject({ error: { name: "ContextOverflowError" } })
    expect(isTooOften(sequence(test.events))).toBe(false)
  },
)

it("compacts as often as needed while the agent gets on with its work", async () => {
  const model = windowModel({ context: 16_000, agent: looking(150) })
  await using test = await testEngine({ model, tools: [look] })
  expect(await test.ask("Look everywhere.")).toMatchObject({ type: "answered" })
  expect(sequence(test.events).split("C").length).toBeGreaterThan(5)
})
