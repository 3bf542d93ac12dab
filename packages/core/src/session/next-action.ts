import { type CompactionRecord, isRecord, pendingCompaction } from "../context/compaction/record.ts"
import type { AssistantMessage, MessageWithParts, UserMessage } from "./message.ts"
import { isUnsettled } from "./tool-state.ts"

export type NextAction =
  /** `answer` is absent when nothing was asked. */
  | { readonly type: "stop"; readonly answer?: MessageWithParts<AssistantMessage> }
  | { readonly type: "compact"; readonly record: CompactionRecord }
  | { readonly type: "respond"; readonly user: MessageWithParts<UserMessage> }

/** What the stored messages ask for next. */
export function nextAction(messages: readonly MessageWithParts[]): NextAction {
  const record = pendingCompaction(messages)
  if (record) return { type: "compact", record }
  const user = messages.findLast((message) => isUser(message) && !isRecord(message)) as
    | MessageWithParts<UserMessage>
    | undefined
  if (!user) return { type: "stop" }
  const last = messages.findLast((message) => isAssistant(message) && !isRecord(message)) as
    | MessageWithParts<AssistantMessage>
    | undefined
  if (last && last.info.parentID === user.info.id && isFinal(last)) return { type: "stop", answer: last }
  return { type: "respond", user }
}

export function isUser(message: MessageWithParts): message is MessageWithParts<UserMessage> {
  return message.info.role === "user"
}

export function isAssistant(message: MessageWithParts): message is MessageWithParts<AssistantMessage> {
  return message.info.role === "assistant"
}

function isFinal({ info, parts }: MessageWithParts<AssistantMessage>): boolean {
  if (info.error) return true
  if (!info.finish || info.finish === "tool-calls" || info.finish === "unknown") return false
  return !parts.some((part) => part.type === "tool" && isUnsettled(part.state))
}
