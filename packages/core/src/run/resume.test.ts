import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { answeringModel, lastPrompt } from "../../test/answering-model.ts"
import { testEngine, testTool } from "../../test/engine-fixture.ts"
import { conversation } from "../../test/conversation.ts"
import { called, said } from "../../test/streaming-model.ts"
import { createIDSource } from "../base/ids.ts"
import { toModelMessages } from "../request/model-messages.ts"
import { nextAction } from "./next-action.ts"
import { recoveryWrites, settleWrites } from "./recovery.ts"
import { searchText } from "../record/search-text.ts"

const ids = createIDSource(Date.now)
const pending = { type: "tool", callID: "a", tool: "edit", state: { status: "pending", input: {}, raw: "{}" } }
const question = {
  ...{ type: "question", callID: "a", time: { created: 1 } },
  about: { type: "permission", permission: "edit", patterns: ["x"], always: [], metadata: {} },
}
const running = (metadata: object) => {
  const state = { status: "running", input: {}, time: { start: 1 } }
  return { type: "tool", callID: "b", tool: "task", metadata, state }
}
/** An answer that its process left when it died, with these parts. */
function left(...parts: object[]) {
  const talk = conversation(ids, "ses_x")
  talk.user({ type: "text", text: "Begin" })
  const { finish: _finish, ...open } = talk.assistant({}, ...parts).info as { finish?: string }
  const message = talk.messages[1]
  if (message) talk.messages[1] = { info: { ...open, time: { created: 1 } } as never, parts: message.parts }
  return talk.messages
}

describe("what a dead owner left", () => {
  it.each([
    ["a call that asks", [pending, question]],
    ["a call that may be run again", [running({ resumable: true })]],
  ])("is %s, which goes on: nothing of it is settled", (_what, parts) => {
    const messages = left(...parts)
    expect(recoveryWrites(messages, 5)).toEqual([])
    expect(nextAction(messages)).toMatchObject({ type: "resume", calls: [{ type: "tool" }] })
  })

  it.each([
    ["a call that has not asked", [pending]],
    ["a call that runs and cannot be repeated", [running({ effect: "unsafe" })]],
  ])("is %s, which is settled with its message", (_what, parts) => {
    const messages = left(...parts)
    expect(nextAction(messages).type).toBe("respond")
    expect(recoveryWrites(messages, 5)).toMatchObject([
      { type: "part.put", part: { state: { status: "error" } } },
      { type: "message.put", message: { finish: "unknown", time: { completed: 5 } } },
    ])
  })

  it("has no question that stays open without its call", () => {
    const messages = left(running({ effect: "unsafe" }), { ...question, callID: "b" })
    expect(recoveryWrites(messages, 5)).toMatchObject([
      { part: { type: "tool", state: { status: "error" } } },
      { part: { type: "question", answer: { type: "dismissed" }, time: { closed: 5 } } },
      { type: "message.put" },
    ])
  })

  it("is settled whole where nobody goes on with it, as in a fork", () => {
    const messages = left(pending, question, running({ resumable: true }))
    const settled = settleWrites(messages, 5).map((write) => ("part" in write ? write.part : write.type))
    expect(settled).toMatchObject([
      { type: "tool", state: { status: "error" } },
      { type: "question", time: { closed: 5 } },
      { type: "tool", state: { status: "error" } },
      "message.put",
    ])
  })
})

it("questions and answers are no part of what a model reads, nor of what is searched", () => {
  const [, message] = left(pending, question, {
    ...{ type: "answer", questionID: "prt_x", time: { created: 1 } },
    answer: { type: "permission", reply: "reject", message: "SECRET" },
  })
  const [, without] = left(pending)
  const model = { providerID: "test", modelID: "test" }
  expect(message && toModelMessages(message, model)).toEqual(without && toModelMessages(without, model))
  expect(message?.parts.map((part) => searchText(part))).toEqual([
    expect.stringContaining("edit"),
    undefined,
    undefined,
  ])
})

describe("a call that goes on", () => {
  it("runs again under the same key, and the turn ends as it would have", async () => {
    const keys: string[] = []
    const tool = testTool(
      "task",
      async (_input, { idempotencyKey, signal }) => {
        keys.push(idempotencyKey)
        if (keys.length === 1) await new Promise((_done, reject) => signal.addEventListener("abort", reject))
        return "Worked."
      },
      { resumable: true },
    )
    const model = answeringModel(({ request }) => {
      return request.messages.at(-1)?.role === "tool" ? said("Done.") : [called("task", { prompt: "go" })]
    })
    const whole = memoryStorage()
    const first = await testEngine({ model, tools: [tool], storage: whole, deadlines: { lease: 50 } })
    void first.ask("Begin").catch(() => undefined)
    await expect.poll(() => keys.length).toBe(1)

    // As after a crash: a copy of the record, which nobody holds.
    const storage = memoryStorage()
    const { session } = first
    const { messages } = await whole.readContext(session.id)
    await storage.commit(session.id, [
      { type: "session.put", session },
      ...messages.flatMap(({ info, parts }) => [
        { type: "message.put", message: info } as const,
        ...parts.map((part) => ({ type: "part.put", part }) as const),
      ]),
    ])
    const second = await testEngine({ model, tools: [tool], storage, session })
    expect(await second.engine.resume(session.id)).toMatchObject({ type: "answered" })
    expect(keys).toEqual([keys[0], keys[0]])
    const [user, cut, answer, ...others] = await second.messages()
    expect(others).toEqual([])
    expect(cut?.info).toMatchObject({ finish: "tool-calls", time: { completed: expect.any(Number) } })
    expect(answer?.info).toMatchObject({ parentID: user?.info.id, finish: "stop" })
    expect(lastPrompt(model.requests.at(-1) as never)).toBe("Begin")
    await second.engine.close()
    await first.engine.abort(session.id)
    await first[Symbol.asyncDispose]()
  })
})
