import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { look, looking, said, tokensOf, windowModel } from "../../test/window-model.ts"
import type { ModelRequest } from "../contracts/model.ts"

describe("the report about a context", () => {
  it("says what fills it, and adds up", async () => {
    const model = windowModel({ context: 100_000, agent: looking(6) })
    await using test = await testEngine({ model, tools: [look] })
    await writeFile(join(test.session.directory, "AGENTS.md"), "Write short sentences.\n".repeat(40))
    await test.ask("Look everywhere.")
    await test.ask("Once more.")

    const report = await test.engine.context(test.session.id)

    const { shares, tokens } = report
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBe(tokens)
    expect(shares).toMatchObject({ summary: 0 })
    for (const share of [shares.system, shares.instructions, shares.tools, shares.tail, shares.new]) {
      expect(share).toBeGreaterThan(0)
    }
    expect(report.instructions).toMatchObject([{ path: join(test.session.directory, "AGENTS.md") }])
    expect(report.tools).toBe(1)
    expect(report.limits).toMatchObject({ window: 100_000, usable: 99_000, hard: 99_000, soft: 89_100 })
    expect(report.calibration).toMatchObject({ samples: 14 })
    expect(report).not.toHaveProperty("modelProblem")
  })

  it("tells the size that the next request then has", async () => {
    const model = windowModel({ context: 100_000, agent: looking(3) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    await test.ask("Once more.")

    const { tokens } = await test.engine.context(test.session.id)
    await test.ask("?")

    const next = model.asked[8] as ModelRequest
    expect(Math.abs(tokens / tokensOf(next, 4) - 1)).toBeLessThan(0.05)
  })

  it("sends nothing, runs nothing and stores nothing", async () => {
    const model = windowModel({ context: 100_000, agent: looking(2) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look.")
    const { revision } = await test.storage.readContext(test.session.id)
    const events = test.events.length

    await test.engine.context(test.session.id)

    expect(model.asked).toHaveLength(3)
    expect((await test.storage.readContext(test.session.id)).revision).toBe(revision)
    expect(test.events).toHaveLength(events)
  })

  it("tells of compactions: how, and what they came to", async () => {
    const model = windowModel({ context: 20_000, agent: looking(40) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    await test.engine.pin(test.session.id, "Never touch main.")

    const { compactions, shares, pins, limits } = await test.engine.context(test.session.id)

    expect(compactions.length).toBeGreaterThan(1)
    expect(shares.summary).toBeGreaterThan(0)
    const applied = compactions.filter(({ status }) => status === "applied")
    for (const { auto, strategy, before = 0, after = 0 } of applied) {
      expect({ auto, strategy }).toEqual({ auto: true, strategy: "summary" })
      expect(after).toBeLessThan(before)
      expect(after).toBeLessThan((limits?.usable ?? 0) * 0.75)
    }
    expect(pins.map(({ text }) => text)).toEqual(["Never touch main."])
  })

  it("speaks of a model that nobody offers any more", async () => {
    const model = windowModel({ context: 20_000, agent: looking(2) })
    await using first = await testEngine({ model, tools: [look] })
    await first.ask("Look.")
    const other = windowModel({ context: 50_000, agent: looking(2), providerID: "other" })
    await using test = await testEngine({ model: other, storage: first.storage, session: first.session })

    const gone = await test.engine.context(first.session.id)
    const chosen = await test.engine.context(first.session.id, { model: other.ref })

    expect(gone.modelProblem).toContain('Provider "test" is not known')
    expect(gone.model).toEqual(model.ref)
    expect(gone).not.toHaveProperty("limits")
    expect(gone.tokens).toBeGreaterThan(1000)
    expect(chosen).toMatchObject({ model: other.ref, limits: { window: 50_000 } })
  })

  it("names outputs that could be cleared", async () => {
    const agent = (request: ModelRequest, n: number) => (n < 62 ? looking(30)(request, n) : said("Bye."))
    const big = testTool("look", async () => "x".repeat(12_000), { effect: "pure" })
    await using test = await testEngine({ model: windowModel({ context: 1_000_000, agent }), tools: [big] })
    for (const text of ["Look.", "Look again.", "Bye."]) await test.ask(text)

    const { prunable } = await test.engine.context(test.session.id)

    // Of 30 outputs of 3,000 tokens before the two newest turns the newest 40,000 tokens stay.
    expect(prunable.outputs).toBe(17)
    expect(prunable.tokens).toBeGreaterThan(17 * 2_900)
  })

  it("is there for a session in which nothing was said", async () => {
    await using test = await testEngine({ model: windowModel({ context: 20_000, agent: looking(2) }), tools: [look] })
    const report = await test.engine.context(test.session.id)
    expect(report).toMatchObject({ shares: { summary: 0, tail: 0, new: 0 }, compactions: [], pins: [] })
  })
})

describe("a compaction that is ended before it is made", () => {
  it("leaves nothing behind", async () => {
    const model = windowModel({ context: 100_000, agent: looking(6) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    const before = await test.messages()

    const compacting = test.engine.compact(test.session.id)
    await new Promise<void>((resolve) => {
      test.engine.subscribe((event) => event.type === "session.compacting" && resolve())
    })
    const ended = test.engine.abort(test.session.id)

    expect(await compacting).toMatchObject({ type: "aborted" })
    await ended
    expect(await test.messages()).toEqual(before)
  })

  it("is not begun for a model that is not there", async () => {
    const model = windowModel({ context: 100_000, agent: looking(6) })
    await using test = await testEngine({ model, tools: [look] })
    await test.ask("Look everywhere.")
    const before = await test.messages()
    const gone = { providerID: "gone", modelID: "x" }
    await expect(test.engine.compact(test.session.id, { model: gone })).rejects.toMatchObject({ name: "NotFoundError" })
    expect(await test.messages()).toEqual(before)
  })
})
