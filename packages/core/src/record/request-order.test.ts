import { describe, expect, it } from "vitest"
import type { AssistantMessage, CompactionPart, MessageWithParts, Part } from "./message.ts"
import { createArrangement } from "./request-order.ts"

const owner = { sessionID: "ses_1" } as const
const model = { providerID: "test", modelID: "test" }
let parts = 0

function text(words: string, more: object = {}): Part {
  return { ...owner, id: `prt_${++parts}`, messageID: "msg_0", type: "text", text: words, ...more }
}

function marker(changes: Partial<CompactionPart> = {}): Part {
  return { ...owner, id: `prt_${++parts}`, messageID: "msg_0", type: "compaction", auto: true, ...changes }
}

function user(id: number, ...own: Part[]): MessageWithParts {
  return { info: { ...owner, id: `msg_${id}`, role: "user", time: { created: id }, agent: "build", model }, parts: own }
}

function assistant(
  id: number,
  parent: number,
  words: string,
  changes: Partial<AssistantMessage> = {},
): MessageWithParts {
  const info: AssistantMessage = {
    ...{ ...owner, id: `msg_${id}`, role: "assistant", parentID: `msg_${parent}`, agent: "build", mode: "build" },
    ...{ ...model, path: { cwd: "/", root: "/" }, cost: 0, finish: "stop" },
    tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
    time: { created: id, completed: id },
    ...changes,
  }
  return { info, parts: [text(words, { time: { start: 1, end: 2 } })] }
}

const words = (messages: readonly MessageWithParts[]) =>
  messages.map(({ parts: [first] }) => (first?.type === "text" ? first.text : first?.type))

function read(messages: readonly MessageWithParts[]) {
  const { summaryMessages, conversation } = createArrangement()(messages)
  return [...words(summaryMessages), "|", ...words(conversation)]
}

describe("a prompt that came while the step before it was beginning", () => {
  const asked = user(1, text("One?"))
  const joined = user(2, text("Two?"))
  const answer = assistant(3, 1, "One.")

  it("stands behind the answer that has not seen it, as the request before did not hold it", () => {
    expect(read([asked, joined, answer])).toEqual(["|", "One?", "One.", "Two?"])
  })

  it("stands before its own answer", () => {
    expect(read([asked, joined, answer, assistant(4, 2, "Two.")])).toEqual(["|", "One?", "One.", "Two?", "Two."])
  })
})

describe("a compaction in effect", () => {
  const before = [user(1, text("One?")), assistant(2, 1, "One."), user(3, text("Two?")), assistant(4, 3, "Two.")]
  const state = text("State", { synthetic: true, metadata: { compaction: "state" } })
  const summary = assistant(6, 5, "Summary", { summary: true })

  it("comes first: its question, its summary, its state; then what is new", () => {
    const stored = [...before, user(5, marker(), state), summary, user(7, text("Three?"))]
    expect(read(stored)).toEqual(["compaction", "Summary", "State", "|", "Three?"])
  })

  it("leaves its tail, and what it keeps besides, word for word", () => {
    const tailed = [...before, user(5, marker({ tail_start_id: "msg_4" })), summary]
    expect(read(tailed)).toEqual(["compaction", "Summary", "|", "Two."])
    const kept = [...before, user(5, marker({ tail_start_id: "msg_4", keep: ["msg_1"] })), summary]
    expect(read(kept)).toEqual(["compaction", "Summary", "|", "One?", "Two."])
  })

  it("leaves single parts of earlier messages where they are kept", () => {
    const part = before[0]?.parts[0]?.id as string
    const stored = [user(0, text("No")), ...before, user(5, marker({ keep: [part] })), summary]
    expect(read(stored)).toEqual(["compaction", "Summary", "|", "One?"])
  })

  it("leaves no part that only an earlier compaction kept of the same message", () => {
    const arrange = createArrangement()
    const whole = user(1, text("One."), text("Two."))
    const ids = whole.parts.map(({ id }) => id)
    const kept = (keep: string[]) => arrange([whole, user(5, marker({ keep })), summary]).conversation[0]?.parts
    expect(kept(ids)).toEqual(whole.parts)
    expect(kept(ids.slice(0, 1))).toEqual(whole.parts.slice(0, 1))
    expect(kept(ids.slice(1))).toEqual(whole.parts.slice(1))
  })

  it("replaces those before it, whose records are in no request", () => {
    const again = [user(7, marker({ tail_start_id: "msg_4" })), assistant(8, 7, "Again", { summary: true })]
    expect(read([...before, user(5, marker()), summary, ...again])).toEqual(["compaction", "Again", "|", "Two."])
  })

  it("gives the same messages each time, so that they are converted once", () => {
    const arrange = createArrangement()
    const stored = [...before, user(5, marker(), state), summary]
    const first = arrange(stored)
    const second = arrange([...stored, user(7, text("Three?"))])
    first.summaryMessages.forEach((message, at) => expect(second.summaryMessages[at]).toBe(message))
  })
})

describe("a compaction that is not in effect", () => {
  const conversation = [user(1, text("One?")), assistant(2, 1, "One.")]

  it("is in no request: prepared, without a summary, with one that failed or broke off", () => {
    const done = assistant(4, 3, "Summary", { summary: true })
    const failed = assistant(4, 3, "", { summary: true, error: { name: "UnknownError", data: { message: "No." } } })
    const broken = assistant(4, 3, "Sum", { summary: true, finish: "unknown" })
    for (const records of [
      [user(3, marker({ prepared: true })), done],
      [user(3, marker())],
      [user(3, marker()), failed],
      [user(3, marker()), broken],
    ]) {
      expect(read([...conversation, ...records])).toEqual(["|", "One?", "One."])
    }
  })
})
