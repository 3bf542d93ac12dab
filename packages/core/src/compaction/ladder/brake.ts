import type { MessageID } from "../../base/ids.ts"
import type { MessageWithParts } from "../../record/message.ts"
import { isRequest } from "../../record/request-order.ts"
import { type CompactionRecord, compactionsOf, isComplete } from "../../record/compaction-record.ts"

/** A third compaction within fewer answers is rejected. */
const MIN_ANSWERS = 3

/**
 * Returns the number of good answers since the newest automatic compaction was applied. Undefined if there was no such
 * compaction, or if the user has sent a request since, which begins a new count.
 */
export function answersSinceCompaction(messages: readonly MessageWithParts[]): number | undefined {
  const newest = newestApplied(messages)
  if (!newest) return undefined
  const { marker, part } = newest
  if (messages.some((message) => message.info.id > marker.info.id && isRequest(message))) return undefined
  // Without a stored answer, count the answers behind the marker.
  const from = part.answered ?? marker.info.id
  return messages.filter((message) => isGoodAnswer(message) && message.info.id > from).length
}

/** Returns the newest good answer of the agent. */
export function newestAnswer(messages: readonly MessageWithParts[]): MessageID | undefined {
  return messages.findLast(isGoodAnswer)?.info.id
}

function isGoodAnswer({ info, parts }: MessageWithParts): boolean {
  if (info.role !== "assistant" || info.summary === true || !isComplete(info)) return false
  return parts.some(({ type }) => type === "step-finish")
}

/**
 * Returns whether another compaction would be the third within three answers. Then something fills the window that
 * compactions do not remove. Depends only on stored messages.
 */
export function isCompactedTooOften(messages: readonly MessageWithParts[]): boolean {
  const before = newestApplied(messages)?.part.answers
  const since = answersSinceCompaction(messages)
  return before !== undefined && since !== undefined && before + since < MIN_ANSWERS
}

function newestApplied(messages: readonly MessageWithParts[]): CompactionRecord | undefined {
  const newest = compactionsOf(messages).findLast(({ isApplied }) => isApplied)
  return newest?.part.auto ? newest : undefined
}
