import type { MessageWithParts, RunResult } from "@pawl/core"
import { expect, it } from "vitest"
import { assistantMessage, failedCall, textPart } from "../../test/parts.ts"
import { endingOf } from "./ending.ts"

type Answer = Extract<RunResult, { type: "answered" }>["answer"]

function answer(finish: string, ...parts: MessageWithParts["parts"]): Answer {
  const { info, ...others } = assistantMessage(...parts)
  return { ...others, info: { ...info, finish } as Answer["info"] }
}

const error = { name: "APIError", data: { message: "Busy." } } as const

it.each<[name: string, result: RunResult, code: number, says: string | undefined]>([
  ["an answer", { type: "answered", answer: answer("stop", textPart("Yes.")) }, 0, undefined],
  ["an answer without words", { type: "answered", answer: answer("stop", textPart(" \n")) }, 1, "without an answer"],
  ["a filtered answer", { type: "answered", answer: answer("content-filter", textPart("Y")) }, 1, "content filter"],
  ["a failure", { type: "failed", error, answer: answer("error") }, 1, "Busy."],
  ["an abort", { type: "aborted" }, 130, "The run was stopped."],
  ["the last step", { type: "steps-spent", steps: 5 }, 4, "may take 5 steps"],
  ["the last dollar", { type: "cost-spent", cost: 2.5, limit: 2 }, 4, "may cost $2.00 and has cost $2.50"],
  [
    "the last token of a session",
    { type: "tokens-spent", tokens: 60_000, limit: 50_000, scope: "session" },
    4,
    "raise limits.session.tokens",
  ],
  [
    "a request that would be too dear for the day",
    { type: "cost-spent", cost: 9.5, limit: 10, next: 0.75, scope: "day" },
    4,
    "may cost $10.00 and has cost $9.50, while the next request would take $0.7500",
  ],
  [
    "the last request of a step",
    { type: "requests-spent", requests: 3, limit: 3, scope: "step" },
    4,
    "A step may make",
  ],
  ["a deadline", { type: "deadline-passed", elapsed: 31_000, deadline: 30_000 }, 4, "may take 30"],
  ["no words", { type: "empty", answer: answer("stop") }, 1, "without an answer"],
  ["a prompt for another process", { type: "queued", messageID: "msg_1" }, 0, undefined],
  ["nothing", { type: "idle" }, 1, "Nothing was asked."],
  [
    "a compaction without going on",
    { type: "compacted", outcome: { type: "applied", goesOn: false } },
    1,
    "pawl run -c",
  ],
  ["one that failed", { type: "compacted", outcome: { type: "failed", reason: "too little" } }, 1, "too little"],
  ["one that was skipped", { type: "compacted", outcome: { type: "skipped" } }, 1, "a plugin skipped it"],
])("%s", (_name, result, code, says) => {
  const { exitCode, error: told } = endingOf(result, undefined)

  expect(exitCode).toBe(code)
  if (says === undefined) expect(told).toBeUndefined()
  else expect(told?.data.message).toContain(says)
})

it("names the tool that was refused", () => {
  const refused = {
    name: "PermissionDeniedError",
    data: { message: "No.", permission: "read", pattern: ".env" },
  } as const
  const calls = [failedCall("bash", {}, "failed"), failedCall("read", {}, "No.")]

  const ending = endingOf({ type: "refused", error: refused, answer: answer("tool-calls", ...calls) }, undefined)

  expect(ending).toMatchObject({ exitCode: 3, error: { data: { tool: "read", permission: "read", pattern: ".env" } } })
})

it("has the exit code of what stopped it", () => {
  expect(endingOf({ type: "aborted" }, "SIGTERM").exitCode).toBe(143)
  expect(endingOf({ type: "aborted" }, "output failed").exitCode).toBe(1)
})
