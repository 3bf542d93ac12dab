import type { AssistantMessage, MessageWithParts, ToolPart } from "@pawl/core/record"
import { describe, expect, it } from "vitest"
import { answerTimes, callTimes, isModelAnswer, requestTimes } from "./step-times.ts"

const retry = (next?: number) => ({ type: "retry", attempt: 1, time: { created: 1200 }, ...(next ? { next } : {}) })
const finished = (took?: number) => ({ type: "step-finish", reason: "stop", ...(took === undefined ? {} : { took }) })
const ran = { effect: "pure" }

function call(state: object, metadata: object | null = ran): ToolPart {
  return { type: "tool", tool: "read", callID: "a", state, ...(metadata ? { metadata } : {}) } as unknown as ToolPart
}

function answer(parts: readonly object[], info: object = {}): MessageWithParts<AssistantMessage> {
  const time = { created: 1000, completed: 9000 }
  return { info: { role: "assistant", requests: 1, time, ...info } as AssistantMessage, parts: parts as never }
}

const completed = call({ status: "completed", time: { start: 3000, end: 8000 } })
const left = call({ status: "error", time: { start: 3000, end: 8000 }, metadata: { interrupted: true } })

describe("a request", () => {
  it.each([
    ["takes as long as was measured", [finished(500)], { start: 1000, end: 1500 }],
    ["however long its calls run", [completed, finished(500)], { start: 1000, end: 1500 }],
    [
      "begins after the wait behind the last attempt",
      [retry(1300), retry(2000), finished(500)],
      { start: 2000, end: 2500 },
    ],
    ["or after that attempt, where no wait is known", [retry(), finished(500)], { start: 1200, end: 1700 }],
    ["is not known where none was answered", [retry(60_000)], undefined],
    ["nor of a summary", [finished()], undefined],
  ])("%s", (_, parts, expected) => {
    expect(requestTimes(answer(parts))).toEqual(expected)
  })

  it("was made where something was spent", () => {
    expect([isModelAnswer(answer([])), isModelAnswer(answer([], { requests: 0, error: { name: "X" } }))]).toEqual([
      true,
      false,
    ])
  })
})

describe("an answer", () => {
  it.each([
    [
      "lasts from its first attempt to the end of its last request",
      [retry(2000), finished(500)],
      { start: 1000, end: 2500 },
    ],
    ["until its message was complete, where nothing came of it", [retry(60_000)], { start: 1000, end: 9000 }],
    ["and no longer", [finished(50_000)], { start: 1000, end: 9000 }],
    ["for nobody knows how long, where a dead process has left it", [left], { start: 1000, end: 1000 }],
  ])("%s", (_, parts, expected) => {
    expect(answerTimes(answer(parts))).toEqual(expected)
  })

  it("does not end before it begins, whatever the clock says", () => {
    expect(answerTimes(answer([], { time: { created: 1000, completed: 500 } }))).toEqual({ start: 1000, end: 1000 })
  })
})

describe("a call", () => {
  it.each([
    ["that has run lasts as long as it ran", completed, { start: 3000, end: 8000 }],
    ["that has failed as well", call({ status: "error", time: { start: 1, end: 1 } }), { start: 1, end: 1 }],
    ["does not end before it begins", call({ status: "completed", time: { start: 5, end: 1 } }), { start: 5, end: 5 }],
    ["that was refused took no time", call({ status: "error", time: { start: 1, end: 1 } }, null), undefined],
    ["that a dead process has left took nobody knows how long", left, undefined],
    ["that runs is not over", call({ status: "running", time: { start: 1 } }), undefined],
  ])("%s", (_, part, expected) => {
    expect(callTimes(part)).toEqual(expected)
  })
})
