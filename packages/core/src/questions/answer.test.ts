import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { sqliteStorage } from "../../../storage-sqlite/src/index.ts"
import { answeringModel, lastPrompt } from "../../test/answering-model.ts"
import { until } from "../../test/asking.ts"
import { testEngine, testTool, type TestEngine, type TestEngineOptions } from "../../test/engine-fixture.ts"
import { temporaryDirectory } from "../../test/storages.ts"
import { called, said } from "../../test/streaming-model.ts"
import { taskTool } from "../../test/task-tool.ts"
import { NotFoundError, QuestionClosedError } from "../base/errors.ts"
import type { Answer, Choice } from "../record/message.ts"

const asking = [{ name: "test", rules: [{ permission: "look", pattern: "*", action: "ask" }] }] as const
const once: Answer = { type: "permission", reply: "once" }
const reject = { type: "permission", reply: "reject" } as const

/** Calls this until there is a result, then is done. */
const calling = (...calls: ReturnType<typeof called>[]) =>
  answeringModel(({ request }) => (request.messages.at(-1)?.role === "tool" ? said("Done.") : calls))

/** Engines on one database, each as in a process of its own; `looks` counts the executions of all. */
async function office() {
  const path = join(await temporaryDirectory(), "pawl.db")
  const looked: object[] = []
  const look = testTool("look", async (input) => (looked.push(input), "seen"), {
    permissions: (input) => [{ permission: "look", patterns: [typeof input["at"] === "string" ? input["at"] : "x"] }],
  })
  const open = async (options: Partial<TestEngineOptions> = {}): Promise<TestEngine> => {
    const storage = await sqliteStorage({ path })
    const test = await testEngine({
      ...{ model: calling(called("look")), tools: [look, taskTool()], permission: asking, askPolicy: "wait", storage },
      ...options,
    })
    onTestFinished(async () => {
      await test[Symbol.asyncDispose]()
      await storage.close()
    })
    return test
  }
  return { open, looked }
}

async function theQuestion({ engine, session }: TestEngine) {
  await until(async () => (await engine.questions(session.id)).length > 0)
  const [question] = await engine.questions(session.id)
  if (!question) throw new Error("There is no question.")
  return question
}

describe("a question", () => {
  it("can be seen and answered in the process that asks", async () => {
    const { open, looked } = await office()
    const test = await open({ model: calling(called("look", { at: "a" }, "call-1")) })
    const run = test.ask("Go")
    const question = await theQuestion(test)
    const { id, messageID } = question
    expect(question).toEqual({
      ...{ id, sessionID: test.session.id, rootSessionID: test.session.id, messageID, callID: "call-1" },
      ...{ agent: "build", tool: "look", input: { at: "a" }, time: { created: expect.any(Number) as number } },
      about: { type: "permission", permission: "look", patterns: ["a"], always: ["a"], metadata: {} },
    })

    await test.engine.answer({ sessionID: test.session.id, questionID: id, answer: once })
    expect(await run).toMatchObject({ type: "answered" })
    expect(looked).toHaveLength(1)
    expect(await test.engine.questions(test.session.id)).toEqual([])
  })

  it("is answered from another process, and the second answer is refused", async () => {
    const { open, looked } = await office()
    const owner = await open()
    const other = await open({ session: owner.session })
    const run = owner.ask("Go")
    const { id: questionID } = await theQuestion(other)
    const input = { sessionID: owner.session.id, questionID, answer: once }

    await other.engine.answer(input)
    expect(await run).toMatchObject({ type: "answered" })
    expect(looked).toHaveLength(1)
    await expect(other.engine.answer({ ...input, answer: reject })).rejects.toThrow(
      /closed: already answered by prt_.*once/,
    )
    await expect(owner.engine.answer(input)).rejects.toThrow(QuestionClosedError)
    expect(await owner.parts("question")).toMatchObject([
      { answer: once, answerID: expect.stringMatching(/^prt_/) as string },
    ])
  })

  it("answered by two processes at the same time takes one of the answers, and refuses the other", async () => {
    const { open, looked } = await office()
    const owner = await open()
    const others = [await open({ session: owner.session }), await open({ session: owner.session })]
    const run = owner.ask("Go")
    const { id: questionID } = await theQuestion(owner)
    const outcomes = await Promise.allSettled(
      others.map(({ engine }, at) =>
        engine.answer({
          sessionID: owner.session.id,
          questionID,
          answer: at === 0 ? once : { ...reject, message: "No." },
        }),
      ),
    )

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
    expect(await run).toMatchObject({ type: "answered" })
    const [question] = await owner.parts("question")
    const wins = outcomes[0]?.status === "fulfilled"
    expect(question?.answer).toMatchObject({ reply: wins ? "once" : "reject" })
    expect(looked).toHaveLength(wins ? 1 : 0)
  })

  it("of a session that nobody works on is answered, and its call runs once when the session goes on", async () => {
    const { open, looked } = await office()
    const { asker, session } = await leftOpen(open)
    const later = await open({ session })
    const question = await theQuestion(later)
    await later.engine.answer({ sessionID: session.id, questionID: question.id, answer: once })
    await expect(later.engine.answer({ sessionID: session.id, questionID: question.id, answer: once })).rejects.toThrow(
      QuestionClosedError,
    )
    expect(looked).toHaveLength(0)

    expect(await later.engine.resume(session.id)).toMatchObject({ type: "answered" })
    expect(looked).toHaveLength(1)
    expect(asker.events.some(({ type }) => type === "permission.asked")).toBe(true)
  })

  it("is asked again by the next run where nobody answered it", async () => {
    const { open, looked } = await office()
    const { session } = await leftOpen(open)
    const asked: string[] = []
    const later = await open({ session, ask: async ({ id }) => (asked.push(id), "once") })
    const question = await theQuestion(later)
    expect(await later.engine.resume(session.id)).toMatchObject({ type: "answered" })
    expect(asked).toEqual([question.id])
    expect(looked).toHaveLength(1)
  })

  it("that waited in a session below is answered there, and the parent goes on", async () => {
    const { open, looked } = await office()
    const model = answeringModel(({ request }) => {
      if (request.messages.at(-1)?.role === "tool") return said("Done.")
      return [
        lastPrompt(request) === "Go" ? called("task", { prompt: "look" }, "task-1") : called("look", {}, "look-1"),
      ]
    })
    const owner = await open({ model })
    const other = await open({ session: owner.session })
    const run = owner.ask("Go")
    const question = await theQuestion(other)
    expect(question).toMatchObject({ rootSessionID: owner.session.id, agent: "general", tool: "look" })
    expect(question.sessionID).not.toBe(owner.session.id)
    expect(owner.events.find(({ type }) => type === "permission.asked")?.properties).toMatchObject({
      rootSessionID: owner.session.id,
    })

    await other.engine.answer({
      sessionID: question.sessionID,
      questionID: question.id,
      answer: { type: "permission", reply: "always" },
    })
    expect(await run).toMatchObject({ type: "answered" })
    expect(looked).toHaveLength(1)
    expect((await owner.engine.getSession(owner.session.id)).approvals).toMatchObject([
      { agent: "general", permission: "look", pattern: "x" },
    ])
  })

  it("that is refused without a hint takes the session's others along", async () => {
    const { open, looked } = await office()
    const owner = await open({ model: calling(called("look", { at: "a" }, "c1"), called("look", { at: "b" }, "c2")) })
    const run = owner.ask("Go")
    await until(async () => (await owner.engine.questions(owner.session.id)).length === 2)
    const [, second] = await owner.engine.questions(owner.session.id)
    await owner.engine.answer({ sessionID: owner.session.id, questionID: second?.id ?? "prt_", answer: reject })
    expect(await run).toMatchObject({ type: "refused", error: { data: { tool: "look" } } })
    expect(looked).toEqual([])
    expect(await owner.parts("question")).toMatchObject([{ answer: reject }, { answer: reject }])
  })

  it("goes with its run", async () => {
    const { open } = await office()
    const owner = await open()
    const run = owner.ask("Go")
    const { id: questionID } = await theQuestion(owner)
    await owner.engine.abort(owner.session.id)
    expect(await run).toMatchObject({ type: "aborted" })
    expect(await owner.parts("question")).toMatchObject([{ answer: { type: "dismissed" } }])
    await expect(owner.engine.answer({ sessionID: owner.session.id, questionID, answer: once })).rejects.toThrow(
      /no answer is needed any more/,
    )
  })
})

describe("an answer", () => {
  const choices: Choice[] = [
    { question: "Which?", header: "Which", options: [{ label: "A", description: "" }], custom: false },
  ]
  const ask = testTool("question", async (_input, context) => JSON.stringify(await context.ask(choices)), {
    resumable: true,
  })

  it("that does not fit its question is refused", async () => {
    const { open } = await office()
    const owner = await open({ tools: [ask], model: calling(called("question")) })
    const run = owner.ask("Go")
    const { id: questionID } = await theQuestion(owner)
    const give = (answer: Answer) => owner.engine.answer({ sessionID: owner.session.id, questionID, answer })
    await expect(give(once)).rejects.toThrow('The question wants an answer of type "choice"')
    await expect(give({ type: "choice", answers: [] })).rejects.toThrow("There are 1 questions, and 0 were answered.")
    await expect(give({ type: "choice", answers: [["A", "A"]] })).rejects.toThrow("takes one answer")
    await expect(give({ type: "choice", answers: [["B"]] })).rejects.toThrow('does not offer "B"')
    await give({ type: "choice", answers: [["A"]] })
    expect(await run).toMatchObject({ type: "answered" })
    expect(await owner.parts("tool")).toMatchObject([{ state: { status: "completed", output: '[["A"]]' } }])
  })

  it("of always is refused where nothing can be allowed for good", async () => {
    const { open } = await office()
    const permissions = () => [{ permission: "look", patterns: ["*"], always: [] }]
    const look = testTool("look", async () => "seen", { permissions })
    const owner = await open({ tools: [look], model: calling(called("look")) })
    const run = owner.ask("Go")
    const { id: questionID } = await theQuestion(owner)
    const give = (answer: Answer) => owner.engine.answer({ sessionID: owner.session.id, questionID, answer })
    await expect(give({ type: "permission", reply: "always" })).rejects.toThrow("It cannot be allowed for good")
    await give(once)
    expect(await run).toMatchObject({ type: "answered" })
  })

  it("of always with patterns of the user's own is refused where they do not match, and holds after a restart", async () => {
    const { open, looked } = await office()
    const { session } = await leftOpen(open)
    const answering = await open({ session })
    const { id: questionID } = await theQuestion(answering)
    const give = (patterns: string[]) => {
      const answer: Answer = { type: "permission", reply: "always", patterns }
      return answering.engine.answer({ sessionID: session.id, questionID, answer })
    }
    await expect(give(["y*"])).rejects.toThrow('The pattern "y*" does not match look "x"')
    await expect(give([])).rejects.toThrow("needs a pattern")
    await give(["?", "page*"])
    expect(looked).toHaveLength(0)

    const later = await open({ session })
    expect(await later.engine.resume(session.id)).toMatchObject({ type: "answered" })
    expect((await later.engine.getSession(session.id)).approvals).toMatchObject([
      { permission: "look", pattern: "?", glob: true },
      { permission: "look", pattern: "page*", glob: true },
    ])
    const calls = [called("look", { at: "page 2" }, "c1"), called("look", { at: "book" }, "c2")]
    const last = await open({ session, model: calling(...calls) })
    const run = last.ask("Go on")
    expect((await theQuestion(last)).input).toEqual({ at: "book" })
    await last.engine.abort(session.id)
    await run
    expect(looked).toEqual([{}, { at: "page 2" }])
  })

  it("is refused if it has patterns and is not always", async () => {
    const { open } = await office()
    const owner = await open()
    const run = owner.ask("Go")
    const { id: questionID } = await theQuestion(owner)
    const answer: Answer = { ...once, patterns: ["*"] }
    await expect(owner.engine.answer({ sessionID: owner.session.id, questionID, answer })).rejects.toThrow(
      "Patterns go with an answer of always",
    )
    await owner.engine.answer({ sessionID: owner.session.id, questionID, answer: once })
    expect(await run).toMatchObject({ type: "answered" })
  })

  it("to an unknown question is refused", async () => {
    const { open } = await office()
    const test = await open()
    const answer = test.engine.answer({ sessionID: test.session.id, questionID: "prt_none", answer: once })
    await expect(answer).rejects.toThrow(NotFoundError)
  })
})

/** A session whose process has died with an open question: as far as its database can tell. */
async function leftOpen(open: (options?: Partial<TestEngineOptions>) => Promise<TestEngine>) {
  const asker = await open()
  const { storage, session } = asker
  let isDead = false
  const real = storage.commit.bind(storage)
  storage.commit = (...input) => (isDead ? Promise.reject(new Error("The process is dead.")) : real(...input))
  const run = asker.ask("Go").catch(() => undefined)
  await theQuestion(asker)
  isDead = true
  await asker.engine.close().catch(() => undefined)
  await run
  return { asker, session }
}
