import { type CompactionRecord, isRecord, pendingCompaction } from "../record/compaction-record.ts"
import { pendingSubtask, type PendingSubtask } from "../record/pending-subtask.ts"
import { pendingCall, type RequestedCall, requestedCall } from "../record/requested-call.ts"
import {
  type AssistantMessage,
  type MessageWithParts,
  type ToolPart,
  type UserMessage,
  isAssistant,
  isUser,
} from "../record/message.ts"
import { resumableCalls } from "../record/resumable.ts"
import { isUnsettled } from "../record/tool-calls.ts"

export type NextAction =
  /** `answer` is missing if the session has no prompt. */
  | { readonly type: "stop"; readonly answer?: MessageWithParts<AssistantMessage> }
  /** Calls that an earlier owner has left, and that can be continued. */
  | {
      readonly type: "resume"
      readonly message: MessageWithParts<AssistantMessage>
      readonly calls: readonly ToolPart[]
    }
  | { readonly type: "compact"; readonly record: CompactionRecord }
  | ({ readonly type: "subtask" } & PendingSubtask)
  | { readonly type: "call"; readonly user: MessageWithParts<UserMessage>; readonly call: RequestedCall }
  | { readonly type: "respond"; readonly user: MessageWithParts<UserMessage> }

/** Returns the action that the stored messages ask for next. */
export function nextAction(messages: readonly MessageWithParts[]): NextAction {
  const left = leftCalls(messages)
  if (left) return left
  const user = messages.findLast((message) => isUser(message) && !isRecord(message)) as
    | MessageWithParts<UserMessage>
    | undefined
  const last = messages.findLast((message) => isAssistant(message) && !isRecord(message)) as
    | MessageWithParts<AssistantMessage>
    | undefined
  const isDone = user !== undefined && last !== undefined && isAnswered(user, last)
  // A summary would replace the message that hands the tasks out.
  const subtask = user && !isDone ? pendingSubtask(messages, user) : undefined
  if (subtask) return { type: "subtask", ...subtask }
  const call = user && pendingCall(messages, user)
  if (call) return { type: "call", user, call }
  const record = pendingCompaction(messages)
  if (record) return { type: "compact", record }
  if (!user) return { type: "stop" }
  return isDone ? { type: "stop", answer: last } : { type: "respond", user }
}

/** Returns whether the answer ends the turn of the user's message. */
export function isAnswered(user: MessageWithParts, answer: MessageWithParts): boolean {
  if (!isAssistant(answer) || answer.info.parentID !== user.info.id) return false
  // The model does not answer a call of the user, even if the process died during the call.
  return isFinal(answer) || (answer.info.time.completed !== undefined && requestedCall(user) !== undefined)
}

/** Returns calls to resume. Only an answer that is not completed can have such calls. */
function leftCalls(messages: readonly MessageWithParts[]): Extract<NextAction, { type: "resume" }> | undefined {
  for (const message of messages) {
    if (!isAssistant(message) || message.info.time.completed !== undefined) continue
    const calls = resumableCalls(message.parts)
    if (calls.length > 0) return { type: "resume", message, calls }
  }
  return undefined
}

function isFinal({ info, parts }: MessageWithParts<AssistantMessage>): boolean {
  if (info.error) return true
  if (!info.finish || info.finish === "tool-calls" || info.finish === "unknown") return false
  return !parts.some((part) => part.type === "tool" && isUnsettled(part.state))
}
