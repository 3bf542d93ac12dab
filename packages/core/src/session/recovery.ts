import type { Write } from "../storage/storage.ts"
import { isAssistant } from "./next-action.ts"
import type { AssistantMessage, MessageWithParts, Part, QuestionPart, ToolPart } from "./message.ts"
import { canResume } from "./resumable.ts"
import { fail, isUnsettled } from "./tool-state.ts"

/**
 * What settles the messages that a dead owner left behind: calls without a result get one that says so, their questions
 * are closed, and answers without an end are completed with finish `unknown`, upon which the loop goes on. Calls that
 * can be resumed stay open, and so do their messages. Nothing when nothing was left.
 */
export function recoveryWrites(messages: readonly MessageWithParts[], now: number): Write[] {
  return messages.filter(isLeft).flatMap((message) => {
    return settleMessage(message, now, (part) => canResume(part, message.parts))
  })
}

/** The same for messages that nobody goes on with: nothing stays open. */
export function settleWrites(messages: readonly MessageWithParts[], now: number): Write[] {
  return messages.filter(isLeft).flatMap((message) => settleMessage(message, now, () => false))
}

/** Of a long session nearly no message is. */
function isLeft(message: MessageWithParts): message is MessageWithParts<AssistantMessage> {
  if (!isAssistant(message)) return false
  if (message.info.time.completed === undefined) return true
  for (const part of message.parts) if (isOpen(part)) return true
  return false
}

function settleMessage(
  { info, parts }: MessageWithParts<AssistantMessage>,
  now: number,
  staysOpen: (part: ToolPart) => boolean,
): Write[] {
  const unsettled = parts.filter((part): part is ToolPart => part.type === "tool" && isUnsettled(part.state))
  const open = new Set(unsettled.filter((part) => staysOpen(part)).map(({ callID }) => callID))
  const writes = parts.flatMap((part): Write[] => {
    const settled = settledPart(part, open, now)
    return settled ? [{ type: "part.put", part: settled }] : []
  })
  if (info.time.completed !== undefined || open.size > 0) return writes
  const time = { ...info.time, completed: now }
  return [...writes, { type: "message.put", message: { ...info, finish: info.finish ?? "unknown", time } }]
}

function isOpen(part: Part): boolean {
  return part.type === "tool" ? isUnsettled(part.state) : part.type === "question" && part.time.closed === undefined
}

/** Undefined where it stays as it is. */
function settledPart(part: Part, open: ReadonlySet<string>, now: number): ToolPart | QuestionPart | undefined {
  if (part.type === "tool" && isUnsettled(part.state) && !open.has(part.callID)) return interrupted(part, now)
  if (part.type !== "question" || part.time.closed !== undefined || open.has(part.callID)) return undefined
  const answer = { type: "dismissed", reason: "The call that asked was interrupted." } as const
  return { ...part, answer: part.answer ?? answer, time: { ...part.time, closed: now } }
}

function interrupted(part: ToolPart, now: number): ToolPart {
  if (!isUnsettled(part.state)) return part
  return { ...part, state: fail(part.state, explanation(part), now, { interrupted: true }) }
}

function explanation({ state, metadata }: ToolPart): string {
  if (state.status === "pending") return "The call was interrupted before it ran. Call again if it is still needed."
  const effect = metadata?.["effect"]
  if (effect === "pure" || effect === "idempotent")
    return "The call was interrupted while it ran. It is safe to call again."
  return "The call was interrupted while it ran. Whether it took effect is unknown: look before you repeat it."
}
