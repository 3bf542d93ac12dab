import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { windowModel, calls, said } from "../../test/window-model.ts"
import { called } from "../../test/streaming-model.ts"
import type { ModelRequest } from "../provider.ts"
import type { PermissionRule } from "../record.ts"

const same = () => [call("look", { at: "x" }), finish("tool-calls")]
const looping = (times: number) =>
  scriptedModel([...Array.from({ length: times }, same), [text("Done."), finish("stop")]])

function counted(output: (n: number) => string = () => "the same") {
  let runs = 0
  const look = testTool("look", async () => output(runs++), { effect: "pure" })
  return { look, runs: () => runs }
}

describe("the same call with the same result", () => {
  it("is not run a third time where that is set, and the run ends with an error that says why", async () => {
    const { look, runs } = counted()
    await using test = await testEngine({ model: looping(6), tools: [look], repetition: { response: "stop" } })

    const result = await test.ask("Go")

    expect(result).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect(result.type === "failed" && result.error.data.message).toContain('look {"at":"x"} for the 3rd time')
    expect(runs()).toBe(2)
  })

  it("is asked about as `doom_loop`, and goes on for a while when a person lets it", async () => {
    const { look, runs } = counted()
    const asked: string[] = []
    await using test = await testEngine({
      model: looping(5),
      tools: [look],
      ask: async ({ permission }) => (asked.push(permission), "once"),
    })

    expect((await test.ask("Go")).type).toBe("answered")
    expect(runs()).toBe(5)
    expect(asked).toEqual(["doom_loop"])
  })

  it("is not asked about if a rule denies it: it is answered with advice, and ends the run when it comes again", async () => {
    const look = testTool("look", async () => "never", { permissions: () => [{ permission: "look", patterns: ["x"] }] })
    const asked: string[] = []
    const model = looping(6)
    await using test = await testEngine({
      ...{ model, tools: [look] },
      permission: [{ name: "test", rules: [{ permission: "look", pattern: "x", action: "deny" }] }],
      ask: async ({ permission }) => (asked.push(permission), "once"),
    })

    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect(JSON.stringify(model.requests[3]?.messages)).toContain("This call was not run")
    expect([asked, model.requests.length]).toEqual([[], 4])
  })

  it("is asked about if it cannot run, and no more than that", async () => {
    const asked: string[] = []
    await using test = await testEngine({
      ...{ model: looping(4), tools: [] },
      ask: async ({ permission }) => (asked.push(permission), "once"),
    })

    expect((await test.ask("Go")).type).toBe("answered")
    expect(asked).toEqual(["doom_loop"])
  })

  it("is asked about together with what it needs", async () => {
    const { look, runs } = counted()
    const asked: string[] = []
    await using test = await testEngine({
      ...{ model: looping(3), tools: [look] },
      permission: [{ name: "test", rules: [{ permission: "look", pattern: "*", action: "ask" }] }],
      ask: async ({ permission }) => (asked.push(permission), permission === "doom_loop" ? "reject" : "once"),
    })

    await test.ask("Go")

    expect(asked).toEqual(["look", "look", "doom_loop"])
    expect(runs()).toBe(2)
  })

  it.each([{}, { response: "ask" }, { response: "nudge" }] as const)(
    "is answered with advice if no person can be asked, and ends the run when it comes again: %o",
    async (repetition) => {
      const { look, runs } = counted()
      const model = looping(6)
      await using test = await testEngine({ model, tools: [look], repetition })

      expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
      expect(runs()).toBe(2)
      expect(JSON.stringify(model.requests[3]?.messages)).toContain("This call was not run")
      expect(model.requests).toHaveLength(4)
    },
  )

  it.each(["ask", "nudge", "stop"] as const)(
    "ends with a message whose setting changes that: response %s",
    async (response) => {
      const run = async (permission: readonly PermissionRule[], response: "ask" | "nudge" | "stop") => {
        const { look, runs } = counted()
        const scopes = [{ name: "test", rules: permission }]
        const options = { repetition: { response }, permission: scopes }
        await using test = await testEngine({ model: looping(6), tools: [look], ...options })
        const result = await test.ask("Go")
        return { runs: runs(), type: result.type, message: result.type === "failed" ? result.error.data.message : "" }
      }
      const everything = [{ permission: "*", pattern: "*", action: "allow" }] as const
      const stopped = await run(everything, response)
      expect(stopped).toMatchObject({ runs: 2, type: "failed" })

      const named = /set the permission "(\w+)" to "(\w+)"/.exec(stopped.message)
      const rule = { permission: named?.[1] ?? "", pattern: "*", action: named?.[2] as PermissionRule["action"] }
      expect(await run([...everything, rule], response)).toMatchObject({ runs: 6, type: "answered" })

      const other = /set "repetition.response" to "(\w+)"/.exec(stopped.message)?.[1]
      expect(other).toBe(response === "stop" ? "nudge" : undefined)
      if (other) expect((await run(everything, other as "nudge")).message).toContain("had been told")
    },
  )

  it("runs where a rule allows it", async () => {
    const { look, runs } = counted()
    const rules = [{ permission: "doom_loop", pattern: "*", action: "allow" } as const]
    await using test = await testEngine({
      model: looping(6),
      tools: [look],
      permission: [{ name: "test", rules }],
      ask: async () => "reject",
    })
    expect((await test.ask("Go")).type).toBe("answered")
    expect(runs()).toBe(6)
  })
})

describe("an answer that repeats the calls of two others", () => {
  const places = (count: number, shift: number) =>
    Array.from({ length: count }, (_, at) => called("look", { at: (at + shift) % count }, `call_${shift}_${at}`))

  it.each([5, 6, 40])("is caught with %i calls, in any order", async (count) => {
    const { look, runs } = counted()
    const model = windowModel({ context: 200_000, agent: (_request, n) => places(count, n) })
    await using test = await testEngine({ model, tools: [look] })

    const result = await test.ask("Go")

    expect(result).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    // The last call of the third answer is not run, nor that of the fourth.
    expect(model.asked).toHaveLength(4)
    expect(runs()).toBe(4 * count - 2)
  })

  it("is caught across compactions, and when the results are cut to other sizes each time", async () => {
    const long = testTool("look", async ({ at }) => `${String(at)}: ${"line of words\n".repeat(9000)}`, {
      effect: "pure",
    })
    const filler = testTool("fill", async ({ n }) => `${String(n)} ${"z".repeat(6000)}`, { effect: "pure" })
    const model = windowModel({
      context: 32_000,
      agent: (_request, n) => (n < 6 ? calls("fill", { n }, `fill_${n}`) : n > 30 ? said("Never.") : places(6, n)),
    })
    await using test = await testEngine({ model, tools: [long, filler] })

    const result = await test.ask("Go")

    expect(result).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect(test.events.filter(({ type }) => type === "session.compacted").length).toBeGreaterThan(0)
    expect(model.asked.length).toBeLessThanOrEqual(6 + 4)
  })
})

describe("a rotation of five calls, one in each answer", () => {
  const rotating = (count: number) =>
    windowModel({
      context: 0,
      agent: (_request, n) => (n < count ? calls("look", { at: n % 5 }, `call_${n}`) : said("Done.")),
    })

  it("is answered with advice at the end of its third round if no person can be asked, and then ends the run", async () => {
    const { look, runs } = counted()
    const model = rotating(30)
    await using test = await testEngine({ model, tools: [look] })

    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect([runs(), model.asked.length]).toEqual([14, 16])
  })

  it("is asked about once, not for each of its calls, when a person lets it go on", async () => {
    const { look, runs } = counted()
    const asked: string[] = []
    await using test = await testEngine({
      ...{ model: rotating(25), tools: [look] },
      ask: async ({ permission }) => (asked.push(permission), "once"),
    })

    expect((await test.ask("Go")).type).toBe("answered")
    expect([runs(), asked]).toEqual([25, ["doom_loop"]])
  })
})

it("runs nine of 700 equal calls in a single answer", async () => {
  const { look, runs } = counted()
  const copies = Array.from({ length: 700 }, (_, at) => called("look", { at: "x" }, `call_${at}`))
  const model = windowModel({ context: 0, agent: (_request, n) => (n === 0 ? copies : said("Done.")) })
  await using test = await testEngine({ model, tools: [look] })

  expect(await test.ask("Go")).toMatchObject({ type: "answered" })
  expect(runs()).toBe(9)
})

describe("what the user has asked for a number of times", () => {
  const testing = (times: number) => (_request: ModelRequest, n: number) =>
    n < times ? calls("bash", { command: "npm test" }, `call_${n}`) : said("Done.")
  const bash = () => testTool("bash", async () => "Tests  12 passed (12)", { effect: "unsafe" })

  it("runs as often, whatever its results", async () => {
    await using test = await testEngine({ model: windowModel({ context: 0, agent: testing(5) }), tools: [bash()] })
    expect(await test.ask("Run the tests five times and tell me whether they are stable.")).toMatchObject({
      type: "answered",
    })
  })

  it("runs as often after a compaction has taken the request out of the messages", async () => {
    const fill = testTool("fill", async ({ n }) => `${String(n)} ${"z".repeat(6000)}`, { effect: "pure" })
    const model = windowModel({
      context: 16_000,
      agent: (request, n) => (n < 12 ? calls("fill", { n }, `fill_${n}`) : testing(5)(request, n - 12)),
    })
    await using test = await testEngine({ model, tools: [bash(), fill] })
    expect(await test.ask("Fill it, then run the tests 5 times.")).toMatchObject({ type: "answered" })
  })

  it("ends when it goes on after that", async () => {
    const model = windowModel({ context: 0, agent: testing(50) })
    await using test = await testEngine({ model, tools: [bash()] })
    expect(await test.ask("Run the tests five times.")).toMatchObject({
      type: "failed",
      error: { name: "RepetitionError" },
    })
    expect(model.asked).toHaveLength(7)
  })
})

it("lets calls run whose results change", async () => {
  const { look, runs } = counted((n) => `line ${n}`)
  await using test = await testEngine({ model: looping(6), tools: [look] })
  expect((await test.ask("Go")).type).toBe("answered")
  expect(runs()).toBe(6)
})

describe("a text that repeats itself", () => {
  const stuck = "I will look at the file now, and then I will look again. ".repeat(40)

  it("ends the run where that is set, and what was written stays", async () => {
    const model = scriptedModel([[text(stuck), finish("stop")]])
    await using test = await testEngine({ model, repetition: { response: "stop" } })
    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect((await test.parts("text")).at(-1)?.text).toContain("I will look at the file now")
  })

  it("is spoken of once if no person can be asked, and then ends the run", async () => {
    const model = scriptedModel([1, 2, 3].map(() => [text(stuck), finish("stop")]))
    await using test = await testEngine({ model })
    const result = await test.ask("Go")
    expect(result).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect(result.type === "failed" && result.error.data.message).toContain('"repetition.response" to "stop"')
    expect(model.requests).toHaveLength(2)
  })

  it("is cut off and spoken of where that is set, and the model goes on", async () => {
    const model = scriptedModel([
      [text(stuck), finish("stop")],
      [text("Better."), finish("stop")],
    ])
    await using test = await testEngine({ model, repetition: { response: "nudge" } })
    const parts = [{ type: "text", text: "Go" }] as const
    const result = await test.engine.prompt({ sessionID: test.session.id, parts, system: "Answer in verse." })
    expect(result.type).toBe("answered")
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("was cut off because it repeated")
    expect(model.requests[1]?.system).toContain("Answer in verse.")
  })
})

describe("a turn whose answers are the same", () => {
  const words =
    "I have looked at everything there is to be seen, and I am now going to look at the very next place, as planned before."
  const repeating = (times: number) => {
    const answers = Array.from({ length: times }, (_, at) => [text(words), call("look", { at }), finish("tool-calls")])
    return scriptedModel([...answers, [text("Done."), finish("stop")]])
  }
  const { look } = counted((n) => `line ${n}`)

  it("ends where that is set", async () => {
    const model = repeating(6)
    await using test = await testEngine({ model, tools: [look], repetition: { response: "stop" } })
    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect(model.requests).toHaveLength(3)
  })

  it("goes on where that is set and the model, once told, does something else", async () => {
    const model = repeating(3)
    await using test = await testEngine({ model, tools: [look], repetition: { response: "nudge" } })
    expect(await test.ask("Go")).toMatchObject({ type: "answered" })
    const told = model.requests.map(({ messages }) => JSON.stringify(messages).includes("<system-reminder>"))
    expect(told).toEqual([false, false, false, true])
  })

  it("keeps what its prompt adds to the system prompt when the model is told", async () => {
    const model = repeating(3)
    await using test = await testEngine({ model, tools: [look], repetition: { response: "nudge" } })
    const parts = [{ type: "text", text: "Go" }] as const
    await test.engine.prompt({ sessionID: test.session.id, parts, system: "Answer in verse." })
    expect(model.requests).toHaveLength(4)
    expect(model.requests.map(({ system }) => system.includes("Answer in verse."))).toEqual([true, true, true, true])
  })
})
