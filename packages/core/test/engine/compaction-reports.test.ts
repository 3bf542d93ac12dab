import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../engine-fixture.ts"
import { around, isSummarizer, look, looking, textOf, type WindowModel, windowModel } from "../window-model.ts"
import { ProviderError } from "../../src/base/errors.ts"

/** The same model, which reports as input of its nth request what `report` makes of the true number. */
function reporting(model: WindowModel, report: (input: number, n: number) => number): WindowModel {
  let n = 0
  return around(model, async function* (request, signal, stream) {
    for await (const event of stream(request, signal)) {
      if (event.type !== "finish" || !event.usage) yield event
      else yield { ...event, usage: { ...event.usage, input: report(event.usage.input, n++) } }
    }
  })
}

describe("a provider that reports", () => {
  const short = testTool("look", async ({ at }) => `${String(at)}: nothing`)

  it.each([1e7, 1e12, Infinity, NaN, -5])("%s tokens each time does not have every step compacted", async (absurd) => {
    const model = windowModel({ context: 100_000, agent: looking(30) })
    await using test = await testEngine({ model: reporting(model, () => absurd), tools: [short] })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    expect(model.asked).toHaveLength(31)
    expect(model.summaries.length).toBeLessThanOrEqual(1)
  })

  it("ten million tokens once is believed no more after the next answer", async () => {
    const model = windowModel({ context: 100_000, agent: looking(2) })
    const once = reporting(model, (input, n) => (n === 0 ? 1e7 : input))
    await using test = await testEngine({ model: once, tools: [short] })
    await test.ask("Go")
    expect(await test.ask("Again")).toMatchObject({ type: "answered" })
    expect(await test.ask("And again")).toMatchObject({ type: "answered" })
  })

  it("the sum of all its requests is not paid for with a summary every few steps", async () => {
    const model = windowModel({ context: 100_000, agent: looking(60) })
    let sum = 0
    await using test = await testEngine({ model: reporting(model, (input) => (sum += input)), tools: [look] })
    await test.ask("Go ".repeat(2000))
    expect(model.summaries.length).toBeLessThan(10)
  })
})

describe("a provider whose tokens are not what is expected", () => {
  it.each([1, 2, 8, 12])(
    "%s bytes each: none of its requests is too long, and the word stays",
    async (bytesPerToken) => {
      const model = windowModel({ context: 30_000, bytesPerToken, agent: looking(60) })
      let refused = 0
      const counted = around(model, async function* (request, signal, stream) {
        try {
          yield* stream(request, signal)
        } catch (error) {
          refused++
          throw error
        }
      })
      await using test = await testEngine({ model: counted, tools: [look] })
      expect(await test.ask("Go. The word is XYZZY.")).toMatchObject({ type: "answered" })
      expect(refused).toBe(0)
      expect(model.asked.every((request) => textOf(request).includes("XYZZY"))).toBe(true)
    },
  )
})

describe("a provider that refuses requests as too long", () => {
  it("whatever they hold: a few summaries are paid for, and none by further prompts, until it takes them again", async () => {
    const model = windowModel({ context: 200_000, agent: looking(40) })
    let isRefusing = false
    const refusing = around(model, async function* (request, signal, stream) {
      if (isRefusing && !isSummarizer(request)) throw new ProviderError("overflow", "too long", { statusCode: 400 })
      yield* stream(request, signal)
    })
    await using test = await testEngine({ model: refusing, tools: [look] })
    await test.ask("Go")
    isRefusing = true
    for (let turn = 0; turn < 4; turn++) {
      expect(await test.ask("Again")).toMatchObject({ type: "failed", error: { name: "ContextOverflowError" } })
    }
    expect(model.summaries.length).toBeLessThanOrEqual(3)
    isRefusing = false
    expect(await test.ask("And now?")).toMatchObject({ type: "answered" })
  })

  it("while a summary is prepared: that one is put into effect", async () => {
    const inner = windowModel({ context: 30_000, output: 500, agent: looking(60) })
    const model = { ...inner, info: { ...inner.info, limit: { context: 38_000, output: 500 } } }
    await using test = await testEngine({ model, tools: [look], compaction: { soft: 0.5 } })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    const begun = test.events.flatMap((event) => {
      return event.type === "session.compacting" ? [event.properties.background] : []
    })
    expect(begun.length).toBeGreaterThan(0)
    expect(begun).not.toContain(false)
  })
})

it("a window that is reported full twice in a turn, and then is not, does not end it", async () => {
  const model = windowModel({ context: 100_000, agent: looking(10) })
  const wrong = reporting(model, (input, n) => (n === 3 || n === 6 ? 99_500 : input))
  const small = testTool("look", async () => "seen", { effect: "pure" })
  await using test = await testEngine({ model: wrong, tools: [small] })
  expect((await test.ask("Look everywhere.")).type).toBe("answered")
})
