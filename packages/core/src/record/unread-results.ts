import { SUBTASK } from "./pending-subtask.ts"
import { type MessageWithParts, type ToolPart, isAssistant } from "./message.ts"
import { isCleared, isUnsettled, type UnsettledToolState } from "./tool-calls.ts"

export type SettledToolPart = ToolPart & { readonly state: Exclude<ToolPart["state"], UnsettledToolState> }

/**
 * Returns the index of the first message with results that no request has carried yet; the length if every result was
 * carried. `conversation` is in the order of the request. Such results belong to the newest answer, or to subtasks that
 * ended since.
 */
export function unreadFrom(conversation: readonly MessageWithParts[]): number {
  let at = conversation.length - 1
  while (at >= 0 && !isAnswerOfModel(conversation[at])) at--
  const start = Math.max(0, at)
  return conversation.slice(start).some(({ parts }) => parts.some((part) => isResult(part)))
    ? start
    : conversation.length
}

/**
 * Like `unreadFrom`, for results that can stay beside a summary. Returns the length if the answers alone, without their
 * results, take more than `room`: then cutting the results does not help.
 */
export function stayingFrom(
  conversation: readonly MessageWithParts[],
  { room, sizeOf, tokensOf }: StayingLimits,
): number {
  const unread = unreadFrom(conversation)
  const results = unreadResults(conversation).reduce((sum, part) => sum + tokensOf(resultText(part)), 0)
  const whole = conversation.slice(unread).reduce((sum, message) => sum + sizeOf(message), 0)
  return whole - results > room ? conversation.length : unread
}

export interface StayingLimits {
  /** Tokens. */
  readonly room: number
  readonly sizeOf: (message: MessageWithParts) => number
  readonly tokensOf: (text: string) => number
}

/** Returns the text that the model reads of a result. */
export function resultText({ state }: SettledToolPart): string {
  return state.status === "error" ? state.error : state.output
}

/** Returns the unread results, in their order. */
export function unreadResults(conversation: readonly MessageWithParts[]): SettledToolPart[] {
  return conversation.slice(unreadFrom(conversation)).flatMap(({ parts }) => parts.filter((part) => isResult(part)))
}

/**
 * Returns whether a model wrote the answer. An answer that failed without content has read nothing, and the engine
 * writes the message of a subtask.
 */
function isAnswerOfModel(message: MessageWithParts | undefined): boolean {
  if (!message || !isAssistant(message)) return false
  const { info, parts } = message
  if (info.error && !parts.some(({ type }) => type === "text" || type === "tool")) return false
  return !parts.some((part) => part.type === "tool" && part.metadata?.[SUBTASK] !== undefined)
}

function isResult(part: MessageWithParts["parts"][number]): part is SettledToolPart {
  if (part.type !== "tool" || isUnsettled(part.state) || isCleared(part)) return false
  return part.metadata?.["providerExecuted"] !== true
}
