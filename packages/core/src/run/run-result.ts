import type { StoredError } from "../base/errors.ts"
import type { MessageID } from "../base/ids.ts"
import type { CompactOutcome } from "../compaction/compact.ts"
import type { Budget } from "../budget/budget.ts"
import type { LimitReached } from "../budget/limits.ts"
import type { LoopEnd } from "./loop.ts"
import type { AssistantMessage, MessageWithParts } from "../record/message.ts"

type Answer = MessageWithParts<AssistantMessage>

export type RunResult =
  | { readonly type: "answered"; readonly answer: Answer }
  /** The model ended without a text. */
  | { readonly type: "empty"; readonly answer: Answer }
  | { readonly type: "failed"; readonly error: StoredError; readonly answer: Answer }
  /** A tool call needed a permission that was refused, or no user could be asked. */
  | { readonly type: "refused"; readonly error: StoredError; readonly answer: Answer }
  | { readonly type: "aborted"; readonly answer?: Answer }
  /** A limit ended the run before its work was done. The session can be continued. */
  | LimitReached
  /** The prompt is stored for the process that works on the session. `messageID` names it until it is delivered. */
  | { readonly type: "queued"; readonly messageID: MessageID }
  /** The prompt is stored, and the caller did not want an answer. */
  | { readonly type: "stored"; readonly messageID: MessageID }
  /** The run was compact-only, or a plugin stopped it after the compaction. */
  | { readonly type: "compacted"; readonly outcome: CompactOutcome }
  /** The session has no prompt. */
  | { readonly type: "idle" }

/** Returns the deadline if it ended the run. */
export function endedByDeadline(budget: Budget): LimitReached | undefined {
  const reached = budget.signal.aborted ? budget.reached() : undefined
  return reached?.type === "deadline-passed" ? reached : undefined
}

export function toResult(end: LoopEnd, budget: Budget): RunResult {
  if (end.type !== "stop") return end
  const { answer } = end
  if (!answer) return { type: "idle" }
  const { error } = answer.info
  if (!error) return { type: hasText(answer) ? "answered" : "empty", answer }
  if (error.name === "MessageAbortedError") return endedByDeadline(budget) ?? { type: "aborted", answer }
  const type = error.name === "PermissionDeniedError" ? "refused" : "failed"
  return { type, error: error as StoredError, answer }
}

function hasText({ parts }: Answer): boolean {
  return parts.some((part) => part.type === "text" && part.text.trim() !== "")
}
