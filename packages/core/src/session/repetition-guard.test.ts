import { call, finish, scriptedModel, text } from "@pawl/provider-replay"
import { describe, expect, it } from "vitest"
import { testEngine, testTool } from "../../test/engine-fixture.ts"

const same = () => [call("look", { at: "x" }), finish("tool-calls")]
const looping = (times: number) =>
  scriptedModel([...Array.from({ length: times }, same), [text("Done."), finish("stop")]])

function counted(output: (n: number) => string = () => "the same") {
  let runs = 0
  const look = testTool("look", async () => output(runs++), { effect: "pure" })
  return { look, runs: () => runs }
}

describe("the same call with the same result", () => {
  it("is not run a third time where nobody can be asked, and the run ends with an error that says why", async () => {
    const { look, runs } = counted()
    await using test = await testEngine({ model: looping(6), tools: [look] })

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

  it("is answered with advice where that is set, and ends the run when it comes again", async () => {
    const { look, runs } = counted()
    const model = looping(6)
    await using test = await testEngine({ model, tools: [look], repetition: { response: "nudge" } })

    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect(runs()).toBe(2)
    expect(JSON.stringify(model.requests[3]?.messages)).toContain("This call was not run")
    expect(model.requests).toHaveLength(4)
  })

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

it("lets calls run whose results change", async () => {
  const { look, runs } = counted((n) => `line ${n}`)
  await using test = await testEngine({ model: looping(6), tools: [look] })
  expect((await test.ask("Go")).type).toBe("answered")
  expect(runs()).toBe(6)
})

describe("a text that repeats itself", () => {
  const stuck = "I will look at the file now, and then I will look again. ".repeat(40)

  it("ends the run where nobody can be asked, and what was written stays", async () => {
    const model = scriptedModel([[text(stuck), finish("stop")]])
    await using test = await testEngine({ model })
    expect(await test.ask("Go")).toMatchObject({ type: "failed", error: { name: "RepetitionError" } })
    expect((await test.parts("text")).at(-1)?.text).toContain("I will look at the file now")
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

  it("ends where nobody can be asked", async () => {
    const model = repeating(6)
    await using test = await testEngine({ model, tools: [look] })
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
