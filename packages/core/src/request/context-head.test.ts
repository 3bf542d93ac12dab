import { describe, expect, it } from "vitest"
import type { MessageWithParts, Part, UserMessage } from "../record/message.ts"
import { type CurrentSources, decideHead, findHead, headToStore, type StoredHead } from "./context-head.ts"

const current = (text: string, environment = "here"): CurrentSources => ({
  model: "acme/large",
  agent: "build",
  sources: { prompt: "You are pawl.", environment, instructions: [{ path: "/AGENTS.md", text }] },
  maxReminderBytes: 1_000,
})
const begun = decideHead(undefined, current("one")).head

function user(number: number, parts: readonly Partial<Part>[]): MessageWithParts {
  const info = { id: `msg_${number}`, role: "user" } as UserMessage
  return { info, parts: parts as readonly Part[] }
}
const start = (head: StoredHead): Partial<Part> => ({ type: "step-start", head })
const reminder = (text: string): Partial<Part> => {
  const decision = decideHead({ stored: begun, read: { prompt: "", instructions: {} } }, current(text))
  const metadata = decision.type === "remind" ? { read: decision.reminder.read } : {}
  return { type: "text", text: "", metadata }
}

describe("the head of a context", () => {
  it("is reused as long as its sources are what the model has read", () => {
    const messages = [user(1, [start(begun)])]
    expect(decideHead(findHead(messages), current("one")).type).toBe("reuse")
    expect(decideHead(findHead(messages), current("two"))).toMatchObject({ type: "remind", head: begun })
  })

  it("counts the last of several reminders in one message, so that none is repeated", () => {
    const messages = [user(1, [start(begun)]), user(2, [reminder("two"), reminder("three")])]
    expect(decideHead(findHead(messages), current("three")).type).toBe("reuse")
    expect(decideHead(findHead(messages), current("two")).type).toBe("remind")
  })

  it("counts reminders of later messages before earlier ones, and only those behind the head", () => {
    const later = [user(1, [start(begun)]), user(2, [reminder("two")]), user(3, [reminder("three")])]
    expect(decideHead(findHead(later), current("three")).type).toBe("reuse")
    const earlier = [user(1, [reminder("two")]), user(2, [start(begun)])]
    expect(decideHead(findHead(earlier), current("one")).type).toBe("reuse")
  })

  it("is built again in another environment, and behind a compaction", () => {
    const messages = [user(1, [start(begun)]), user(3, [])]
    expect(decideHead(findHead(messages), current("one", "elsewhere")).type).toBe("build")
    expect(findHead(messages, "msg_2")).toBeUndefined()
  })

  it("is not stored if it is too large for a record", () => {
    expect(headToStore(decideHead(undefined, current("one")))).toEqual(begun)
    expect(headToStore(decideHead(undefined, current("x".repeat(60_000))))).toBeUndefined()
  })
})
