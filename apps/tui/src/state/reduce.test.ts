import type { MessageWithParts } from "@pawl/core"
import { describe, expect, it } from "vitest"
import {
  answering,
  assistantInfo,
  completed,
  delta,
  event,
  running,
  session,
  SESSION,
  text,
  toolPart,
  updated,
  userMessage,
  viewAfter,
} from "../../test/view-values.ts"
import { reduce } from "./reduce.ts"
import { isUnfinished } from "./unfinished.ts"
import { currentWait } from "./waits.ts"

describe("the view of a session", () => {
  it("has a block for each prompt, text and call, in order", () => {
    const call = toolPart("prt_2", "read", completed({ filePath: "/project/a" }, "1: a"))

    const { blocks } = viewAfter(...userMessage("msg_1", "Hi"), answering(), text("prt_1", "Hello."), updated(call))

    expect(blocks.map(({ type, isDone }) => [type, isDone])).toEqual([
      ["prompt", true],
      ["text", true],
      ["tool", true],
    ])
    expect(blocks[0]).toMatchObject({ text: "Hi" })
  })

  it("adds deltas to the text that they belong to", () => {
    const { blocks } = viewAfter(answering(), text("prt_1", "", false), delta("prt_1", "Hel"), delta("prt_1", "lo"))

    expect(blocks).toMatchObject([{ type: "text", text: "Hello", isDone: false }])
  })

  it("ignores what is reported again after it was printed", () => {
    const shown = viewAfter(answering(), text("prt_1", "Hello."))
    const printed = reduce(shown, { type: "printed", count: 1 })

    const again = reduce(printed, { type: "event", event: text("prt_1", "Hello."), now: 1 })

    expect(again.blocks).toEqual([])
  })

  it("shows no text of a summary", () => {
    const summary = event("message.updated", { sessionID: SESSION, info: assistantInfo("msg_2", { summary: true }) })

    expect(viewAfter(summary, text("prt_1", "For the model.")).blocks).toEqual([])
  })

  it("keeps waiting prompts out of the transcript until they are delivered", () => {
    const waiting = viewAfter(...userMessage("msg_3", "Also this", "queue"))
    expect(waiting.blocks).toEqual([])
    expect(waiting.queue).toEqual([{ id: "msg_3", text: "Also this", mode: "queue" }])

    const removed = event("message.removed", { sessionID: SESSION, messageID: "msg_3" })
    const delivered = [removed, ...userMessage("msg_4", "Also this")]
    const view = delivered.reduce((each, next) => reduce(each, { type: "event", event: next, now: 1 }), waiting)

    expect(view.queue).toEqual([])
    expect(view.blocks).toMatchObject([{ type: "prompt", text: "Also this" }])
  })

  it("replaces the text of a failed attempt, unless a part of it may be printed", () => {
    const gone = event("message.part.removed", { sessionID: SESSION, messageID: "msg_2", partID: "prt_1" })

    expect(viewAfter(answering(), text("prt_1", "", false), gone).blocks).toEqual([])
    expect(viewAfter(answering(), text("prt_1", "", false), delta("prt_1", "Half"), gone).blocks).toMatchObject([
      { text: "Half", isDone: true },
    ])
  })

  it("has the open questions of the session and of the sessions below it", () => {
    const asked = (id: `prt_${string}`, sessionID: `ses_${string}`) =>
      event("permission.asked", {
        ...{ id, sessionID, rootSessionID: SESSION, tool: { messageID: "msg_2", callID: "c" } },
        ...{ permission: "bash", patterns: ["ls"], always: ["ls"], metadata: {} },
      })
    const replied = { sessionID: SESSION, rootSessionID: SESSION, requestID: "prt_1", reply: "once" } as const

    const view = viewAfter(
      asked("prt_1", SESSION),
      asked("prt_2", "ses_2"),
      event("permission.replied", replied as never),
    )

    expect(view.questions.map(({ request }) => request.id)).toEqual(["prt_2"])
  })

  it("counts tokens and cost of finished steps", () => {
    const tokens = { input: 100, output: 10, reasoning: 0, cache: { read: 50, write: 0 } }
    const step = updated({
      id: "prt_9",
      sessionID: SESSION,
      messageID: "msg_2",
      type: "step-finish",
      reason: "stop",
      cost: 0.5,
      tokens,
    })

    expect(viewAfter(step, step).spending).toEqual({ cost: 1, context: 160, input: 300, cached: 100, output: 20 })
  })

  it("follows subagents, and what they do", () => {
    const child = { ...session, id: "ses_2", parentID: SESSION, title: "Look around", agent: "explore" } as const
    const call = { ...toolPart("prt_5", "read", running({ filePath: "a.ts" })), sessionID: "ses_2" as const }

    const view = viewAfter(
      event("session.created", { sessionID: "ses_2", info: child }),
      event("message.part.updated", { sessionID: "ses_2", part: call, time: 1 }),
    )

    expect([...view.subagents.values()]).toMatchObject([{ agent: "explore", isBusy: true, activity: "read a.ts" }])
    expect(view.blocks).toEqual([])
  })
})

describe("a stored session", () => {
  const user = { info: { role: "user" } } as MessageWithParts
  const answer = (changes: object) => ({ info: assistantInfo("msg_2", changes), parts: [] })

  it.each([
    ["without messages is finished", [], false],
    ["with a prompt that nothing answers", [user], true],
    ["whose process died in a step", [user, answer({})], true],
    [
      "whose process died between two steps",
      [user, answer({ time: { created: 1, completed: 2 }, finish: "tool-calls" })],
      true,
    ],
    ["with an answer", [user, answer({ time: { created: 1, completed: 2 }, finish: "stop" })], false],
    ["whose turn failed", [user, answer({ error: { name: "UnknownError", data: { message: "No." } } })], false],
  ])("%s", (_name, messages, expected) => {
    expect(isUnfinished(messages)).toBe(expected)
  })
})

describe("what a session waits for", () => {
  const busy = event("session.status", { sessionID: SESSION, status: { type: "busy" } })

  it("is the model, then a call, then the user", () => {
    const call = updated(toolPart("prt_2", "bash", running({ command: "npm test" })))
    const asked = event("question.asked", {
      ...{
        id: "prt_3",
        sessionID: SESSION,
        rootSessionID: SESSION,
        questions: [],
        tool: { messageID: "msg_2", callID: "c" },
      },
    })

    expect(currentWait(viewAfter(busy))?.label).toBe("waiting for the model")
    expect(currentWait(viewAfter(busy, call))?.label).toBe("bash npm test")
    expect(currentWait(viewAfter(busy, call, asked))?.label).toBe("waiting for your answer")
  })

  it("is the next attempt, with the reason of the last one", () => {
    const retry = { type: "retry", attempt: 1, attempts: 5, message: "Overloaded", next: 9000 } as const

    const wait = currentWait(viewAfter(busy, event("session.status", { sessionID: SESSION, status: retry })))

    expect(wait).toEqual({ label: "Overloaded · attempt 2 of 5", since: 1000, until: 9000 })
  })

  it("is nothing when the turn is over", () => {
    expect(currentWait(viewAfter(busy, event("session.idle", { sessionID: SESSION })))).toBeUndefined()
  })
})
