import type { MessageID } from "../../base/ids.ts"
import type { MessageWithParts } from "../../record/message.ts"
import { isRequest } from "../../record/request-order.ts"
import { type CompactionRecord, compactionsOf, isComplete } from "../../record/compaction-record.ts"

/** Answers within which a third compaction is one too many. */
const ANSWERS = 3

/**
 * Good answers since the newest compaction that the engine made by itself took effect; undefined if there was none, or if
 * a person has asked for something since: that begins a new count.
 */
export function answersSinceCompaction(messages: readonly MessageWithParts[]): number | undefined {
  const newest = newestApplied(messages)
  if (!newest) return undefined
  const { marker, part } = newest
  if (messages.some((message) => message.info.id > marker.info.id && isRequest(message))) return undefined
  // Where it is not known, what stands behind the marker is later.
  const from = part.answered ?? marker.info.id
  return messages.filter((message) => isGoodAnswer(message) && message.info.id > from).length
}

/** The newest good answer of the agent. */
export function newestAnswer(messages: readonly MessageWithParts[]): MessageID | undefined {
  return messages.findLast(isGoodAnswer)?.info.id
}

function isGoodAnswer({ info, parts }: MessageWithParts): boolean {
  if (info.role !== "assistant" || info.summary === true || !isComplete(info)) return false
  return parts.some(({ type }) => type === "step-finish")
}

/**
 * Whether one more compaction would be the third within three answers: then something fills the window that no compaction
 * takes out of it. Depends on nothing but what is stored.
 */
export function isCompactedTooOften(messages: readonly MessageWithParts[]): boolean {
  const before = newestApplied(messages)?.part.answers
  const since = answersSinceCompaction(messages)
  return before !== undefined && since !== undefined && before + since < ANSWERS
}

function newestApplied(messages: readonly MessageWithParts[]): CompactionRecord | undefined {
  const newest = compactionsOf(messages).findLast(({ isApplied }) => isApplied)
  return newest?.part.auto ? newest : undefined
}
