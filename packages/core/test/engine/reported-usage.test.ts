import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { type ReadRequest, type ReportingModelOptions, reportingModel } from "../reporting-model.ts"
import { around, isSummarizer, looking, told } from "../window-model.ts"
import { ProviderError } from "../../src/base/errors.ts"
import type { EngineEvent } from "../../src/index.ts"
import type { ModelRequest } from "../../src/contracts/model.ts"

const WINDOW = 32_000
const STEPS = 45

/** Gives 1,500 tokens about the place that it is asked for; its description takes `fixed` tokens. */
const lookTool = (fixed: number) =>
  testTool("look", async (input) => `${String(input["at"])}: ${"x".repeat(6000)}`, {
    effect: "pure",
    description: "d".repeat(fixed * 4),
  })

type Server = Partial<Omit<ReportingModelOptions, "agent">> & Pick<ReportingModelOptions, "report">

/** Works through a long turn, answers once more, compacts when asked, and answers again. */
async function work(server: Server, { steps = STEPS, fixed = 5000 } = {}) {
  const model = reportingModel({ context: WINDOW, ...server, agent: looking(steps) })
  await using test = await testEngine({ model, tools: [lookTool(fixed)] })
  const results = [await test.ask("Look everywhere."), await test.ask("Look everywhere again.")]
  const compacted = await test.engine.compact(test.session.id)
  results.push(await test.ask("And once more."))
  const messages = await test.messages()
  const spent = messages.flatMap(({ info }) => (info.role === "assistant" && !info.summary ? [info] : []))
  const finished = messages.filter(({ info }) => info.role === "assistant" && !info.summary)
  const ends = finished.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "step-finish" ? [part] : [])))
  return {
    model,
    compactions: told(test.events).length,
    compacted,
    ...{ spent, ends },
    answers: results.map((result) => (result.type === "failed" ? result.error.data.message : result.type)),
    most: Math.max(...model.accepted),
    notices: notices(test.events),
  }
}

function notices(events: readonly EngineEvent[]): string[] {
  return events.flatMap((event) => (event.type === "session.notice" ? [event.properties.message] : []))
}

const times = (factor: number) => ({ report: ({ input }: ReadRequest) => ({ input: Math.round(input * factor) }) })
const atMost = (most: number) => ({ report: ({ input }: ReadRequest) => ({ input: Math.min(input, most) }) })
const uncached: Server = { report: ({ input, before }) => ({ input: Math.max(1, input - before) }) }

/** `compactions`: at most so many in 137 steps of 1,500 tokens, and one that is asked for; a server that tells the truth takes 13. */
const servers: readonly (readonly [string, Server, { readonly compactions: number; readonly notices: number }])[] = [
  ["the truth", times(1), { compactions: 14, notices: 0 }],
  ["nothing", times(0), { compactions: 14, notices: 1 }],
  ["a tenth of the truth", times(0.1), { compactions: 14, notices: 1 }],
  ["half of the truth", times(0.5), { compactions: 14, notices: 0 }],
  [
    "half of the truth, and refuses without numbers",
    { ...times(0.5), refusal: "silence" },
    { compactions: 14, notices: 0 },
  ],
  ["twice the truth", times(2), { compactions: 40, notices: 0 }],
  ["five times the truth", times(5), { compactions: 14, notices: 1 }],
  ["fifty times the truth", times(50), { compactions: 14, notices: 1 }],
  ["what it has not cached", uncached, { compactions: 14, notices: 1 }],
  [
    "what it has not cached, and refuses without numbers",
    { ...uncached, refusal: "silence" },
    { compactions: 14, notices: 1 },
  ],
  ["the window, to which it cuts silently", { ...atMost(WINDOW), refusal: "never" }, { compactions: 14, notices: 0 }],
  [
    "less than the window, to which it cuts silently",
    { ...atMost(20_000), refusal: "never" },
    { compactions: 14, notices: 1 },
  ],
]

describe("a long session with a server that reports", () => {
  it.each(servers)("%s goes on", async (_name, server, bounds) => {
    const { model, answers, compacted, compactions, most, notices: said } = await work(server)
    expect(answers).toEqual(["answered", "answered", "answered"])
    expect(compacted).toMatchObject({ outcome: { type: "applied" } })
    expect(most).toBeLessThanOrEqual(WINDOW)
    expect(compactions).toBeLessThanOrEqual(bounds.compactions)
    expect(model.refused).toBeLessThanOrEqual(compactions)
    expect(said.filter((notice) => notice.includes("acme/honest reports"))).toHaveLength(bounds.notices)
  })
})

it("says once what is reported, of which request, and what was expected", async () => {
  const { notices: said } = await work(times(50))
  expect(said).toEqual([
    expect.stringMatching(
      /^acme\/honest reports \d{6} input tokens for a request of 2\d{4} bytes, where about \d{4} were expected: /,
    ),
  ])
})

it("keeps the notice to one across a restart and a compaction", async () => {
  const storage = memoryStorage()
  const model = reportingModel({ context: WINDOW, ...times(50), agent: looking(STEPS) })
  const first = await testEngine({ model, storage, tools: [lookTool(5000)] })
  await first.ask("Look everywhere.")
  await first.engine.close()
  await using second = await testEngine({ model, storage, tools: [lookTool(5000)], session: first.session })
  await second.ask("Look everywhere again.")
  expect(told(first.events).length).toBeGreaterThan(0)
  expect([...notices(first.events), ...notices(second.events)]).toHaveLength(1)
})

it("estimates what is paid, says how much of it, and keeps sums of messages and their steps the same", async () => {
  const { spent, ends } = await work(times(50), { steps: 3 })
  const paid = spent.reduce((sum, { cost }) => sum + cost, 0)
  expect(paid).toBeCloseTo(
    ends.reduce((sum, { cost }) => sum + cost, 0),
    9,
  )
  expect(spent.every(({ tokens, cost, estimated }) => estimated?.cost === cost && tokens.input < WINDOW)).toBe(true)
})

it.each([Number.NaN, -5, Infinity, 0.5, 1e300])(
  "counts nothing but whole, finite tokens where %d are reported",
  async (input) => {
    const { answers, ends } = await work({ report: () => ({ input, output: input, reasoning: input }) }, { steps: 3 })
    expect(answers).toEqual(["answered", "answered", "answered"])
    for (const { tokens, cost } of ends) {
      expect(
        [tokens.input, tokens.output, tokens.reasoning].every(
          (count) => Number.isInteger(count) && count >= 0 && count < WINDOW,
        ),
      ).toBe(true)
      expect(cost).toBeLessThan(1)
    }
  },
)

const alternating = (other: number) => {
  let asked = 0
  return { report: ({ input }: ReadRequest) => ({ input: Math.round(input * (asked++ % 2 === 0 ? 1 : other)) }) }
}
const summing = () => {
  let sum = 0
  return { report: ({ input }: ReadRequest) => ({ input: (sum += input) }) }
}

it.each<[string, () => Server, fixed: number]>([
  ["1.3 times the truth", () => times(1.3), 17_600],
  ["1.4 times the truth", () => times(1.4), 16_000],
  ["1.5 times the truth", () => times(1.5), 16_000],
  // Of 31,000 usable tokens the tools would take 24,000, of which a compaction could not get to 70 %.
  ["twice the truth", () => times(2), 12_000],
  ["the sum of all requests", summing, 16_000],
  ["the truth and half of it in turns", () => alternating(0.5), 16_000],
  ["the truth and a third of it in turns", () => alternating(0.34), 17_600],
])("is not given up for a report of %s alone: the usual measure counts until the server refuses", async (...server) => {
  const [, report, fixed] = server
  const run = await work(report(), { fixed })
  expect(run.answers).toEqual(["answered", "answered", "answered"])
  expect(run.compacted).toMatchObject({ outcome: { type: "applied" } })
  expect(run.most).toBeLessThanOrEqual(WINDOW)
  expect(run.model.refused).toBeLessThanOrEqual(run.compactions)
})

it("keeps the room that was accepted, whatever a refusal says, also behind a compaction", async () => {
  const model = reportingModel({ context: WINDOW, ...times(1), agent: looking(STEPS) })
  const isWrong = (length: number) => length > 0 && length % 12 === 0
  let asked = 0
  const lying = around(model, (request, signal, stream) => {
    if (!isSummarizer(request) && isWrong(asked++)) {
      throw new ProviderError("overflow", "At most 6000 tokens.", { statusCode: 400, limit: 6000 })
    }
    return stream(request, signal)
  })
  await using test = await testEngine({ model: lying, tools: [lookTool(9000)] })
  const results = [await test.ask("Look everywhere."), await test.ask("Look everywhere again.")]
  expect(results.map((each) => (each.type === "failed" ? each.error.data.message : each.type))).toEqual([
    "answered",
    "answered",
  ])
})

it("is compacted when asked, though the last report was far below what is left by its text", async () => {
  const run = await work({ report: ({ input }) => ({ input: input > 20_000 ? input * 0.4 : input }) }, { steps: 5 })
  expect(run.compacted).toMatchObject({ outcome: { type: "applied" } })
  expect(run.answers).toEqual(["answered", "answered", "answered"])
})

it("is given up with what fills the window once the server refuses what cannot be compacted", async () => {
  const run = await work({ report: times(2).report, context: 16_000, stated: WINDOW }, { fixed: 15_500 })
  expect(run.answers.map((answer) => answer.slice(0, 33))).toEqual(
    Array.from({ length: 3 }, () => "The next request would take about"),
  )
  expect(run.model.accepted.length).toBeLessThanOrEqual(3)
})

/** Tokens of reasoning that the server keeps to itself, for each answer that it reads again. */
const hidden = ({ messages }: Pick<ModelRequest, "messages">) =>
  messages.filter(({ role }) => role === "assistant").length * 8000

describe("hidden reasoning that grows with each answer", () => {
  it.each<[string, Server]>([
    ["is reported as output", { report: ({ input }) => ({ input, reasoning: 8000 }) }],
    ["is reported nowhere", times(1)],
  ])("and %s is seen before it leaves the window", async (_name, server) => {
    const run = await work({ ...server, context: 1_000_000, output: 32_000, hidden, refusal: "never" }, { steps: 100 })
    expect(run.answers).toEqual(["answered", "answered", "answered"])
    expect(run.compacted).toMatchObject({ outcome: { type: "applied" } })
    expect(run.most).toBeLessThanOrEqual(1_000_000)
    expect(run.compactions).toBeLessThanOrEqual(4)
    expect(run.notices).toEqual([])
  })
})
