import { describe, expect, it } from "vitest"
import { answeringModel, silence } from "../../test/answering-model.ts"
import { testEngine } from "../../test/engine-fixture.ts"
import { said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import { cleanTitle } from "./clean-title.ts"

describe("a title", () => {
  it.each([
    ["Fix the parser", "Fix the parser"],
    ["<think>Hm, a title.</think>\n\n  Fix the\tparser  \nBecause", "Fix the parser"],
    ["<thinking>never ends", ""],
    ['"Fix the parser"', "Fix the parser"],
    ["\u001b[31mRed\u0007", "[31mRed"],
    ["Right\u202Eleft", "Right left"],
    ["", ""],
    ["x".repeat(150), `${"x".repeat(99)}…`],
  ])("of %j is %j", (answer, title) => {
    expect(cleanTitle(answer)).toBe(title)
  })

  it("is masked before it is cut", () => {
    const mask = (text: string) => text.replaceAll("secret".repeat(3), "[removed]")
    expect(cleanTitle(`${"x".repeat(90)} ${"secret".repeat(3)} more`, mask)).toBe(`${"x".repeat(90)} [removed…`)
    expect(cleanTitle(`${"x".repeat(85)} ${"secret".repeat(3)}`, mask)).toBe(`${"x".repeat(85)} [removed]`)
  })
})

describe("a new session", () => {
  const agent = () => answeringModel(() => said("Hello."), "agent")

  it("is named by the model that is set for it, beside its first prompt and once", async () => {
    const namer = answeringModel(() => said("A greeting"), "namer")
    const model = agent()
    await using test = await testEngine({ model, titleModel: namer.ref }, namer)
    await test.ask("Say hello\nplease")
    await expect.poll(async () => (await test.engine.getSession(test.session.id)).title).toBe("A greeting")
    await test.ask("Once more")
    await test.engine.close()
    expect(namer.requests).toHaveLength(1)
    expect(namer.requests[0]).toMatchObject({ tools: [], system: [expect.stringContaining("You name conversations")] })
    expect(model.requests).toHaveLength(2)
  })

  it("has no half of a secret in its title where its prompt is cut, and is named by a model after that", async () => {
    const secret = "secret".repeat(3)
    const mask = (text: string) => text.replaceAll(secret, "[removed]")
    const prompt = `${"word ".repeat(10)}${secret} and more`
    await using plain = await testEngine({ model: agent(), mask })
    await plain.ask(prompt)
    expect((await plain.engine.getSession(plain.session.id)).title).toBe(`${"word ".repeat(10)}[removed]…`)

    const namer = answeringModel(() => said("A greeting"), "namer")
    await using test = await testEngine({ model: agent(), titleModel: namer.ref, mask }, namer)
    await test.ask(prompt)
    await expect.poll(async () => (await test.engine.getSession(test.session.id)).title).toBe("A greeting")
  })

  it("is called by the first line of its prompt where no model is set, and nothing is asked for it", async () => {
    const model = agent()
    await using test = await testEngine({ model })
    await test.ask("Say hello\nplease")
    await test.engine.close()
    expect((await test.engine.getSession(test.session.id)).title).toBe("Say hello")
    expect(model.requests).toHaveLength(1)
  })

  it.each([
    ["Review the changes", "Look at every file.", "Review the changes"],
    ["", "Look at every file.\nThoroughly.", "Look at every file."],
  ])(
    "whose first prompt is a task for a subagent is called by its description %j, or by its prompt",
    async (...task) => {
      const [description, prompt, title] = task
      await using test = await testEngine({ model: agent(), tools: [taskTool()] })
      const parts = [{ type: "subtask" as const, agent: "general", description, prompt }]
      await test.engine.prompt({ sessionID: test.session.id, parts })
      expect((await test.engine.getSession(test.session.id)).title).toBe(title)
    },
  )

  it("keeps what a person calls it meanwhile", async () => {
    const { promise: named, resolve } = Promise.withResolvers<void>()
    const namer = answeringModel(async function* () {
      await named
      yield* said("A greeting")
    }, "namer")
    await using test = await testEngine({ model: agent(), titleModel: namer.ref }, namer)
    await test.ask("Say hello")
    await test.engine.updateSession(test.session.id, { title: "Mine" })
    resolve()
    await new Promise((done) => setTimeout(done, 20))
    expect((await test.engine.getSession(test.session.id)).title).toBe("Mine")
  })

  it.each([
    ["says nothing", (signal: AbortSignal) => silence(signal)],
    [
      "fails",
      () => {
        throw new Error("No.")
      },
    ],
  ])("waits for no model that %s, and closes all the same", async (_what, answer) => {
    const namer = answeringModel(({ signal }) => answer(signal), "namer")
    await using test = await testEngine({ model: agent(), titleModel: namer.ref }, namer)
    expect(await test.ask("Say hello")).toMatchObject({ type: "answered" })
    await test.engine.close()
    expect((await test.engine.getSession(test.session.id)).title).toBe("Say hello")
  })

  it.each([
    [undefined, "A greeting"],
    [false, "Say hello"],
  ] as const)("is named by the model of a hook where titleModel is %s: %s", async (titleModel, title) => {
    const namer = answeringModel(() => said("A greeting"), "namer")
    const plugin = () => ({
      "provider.small_model": (_: unknown, output: { model?: object | undefined }) => void (output.model = namer.ref),
    })
    const options = titleModel === undefined ? {} : { titleModel }
    await using test = await testEngine({ model: agent(), plugins: [{ id: "p", plugin }], ...options }, namer)
    await test.ask("Say hello")
    await expect.poll(async () => (await test.engine.getSession(test.session.id)).title).toBe(title)
    await test.engine.close()
    expect(namer.requests).toHaveLength(titleModel === false ? 0 : 1)
  })

  it("below another keeps its title", async () => {
    const namer = answeringModel(() => said("A greeting"), "namer")
    await using test = await testEngine({ model: agent(), titleModel: namer.ref }, namer)
    const child = await test.engine.createSession({ directory: test.session.directory, parentID: test.session.id })
    await test.engine.prompt({ sessionID: child.id, parts: [{ type: "text", text: "Hello" }] })
    await test.engine.close()
    expect(namer.requests).toEqual([])
  })
})
