import { isOurCall, reasonOf } from "../reply/ending.ts"
import type { Reply, ReplyStep } from "../reply/reply.ts"

/**
 * Groups the replies by the assistant message that they result in. Replies that fail, hang or are empty leave no
 * message in a session, so they belong to the next reply that does. Each group is a range of indexes; `end` is
 * exclusive.
 */
export function turnsOf(replies: readonly Reply[]): readonly Turn[] {
  const turns: Turn[] = []
  let start = 0
  for (const [index, reply] of replies.entries()) {
    if (!leavesMessage(reply)) continue
    turns.push({ start, end: index + 1, complete: true })
    start = index + 1
  }
  return start < replies.length ? [...turns, { start, end: replies.length, complete: false }] : turns
}

export interface Turn {
  readonly start: number
  readonly end: number
  /** True if the last reply results in a message. */
  readonly complete: boolean
}

/**
 * Returns the index of the reply for a request with this number of assistant messages and the number of earlier
 * attempts. The index is after the last reply if the script has no more. The reply that completes a turn is repeated
 * for further attempts.
 */
export function replyIndex(turns: readonly Turn[], assistantMessages: number, attempt: number): number {
  const turn = turns[assistantMessages]
  if (turn === undefined) return (turns.at(-1)?.end ?? 0) + assistantMessages - turns.length
  const index = turn.start + attempt
  return turn.complete ? Math.min(index, turn.end - 1) : index
}

// The engine also keeps the calls of an answer that failed.
function leavesMessage(reply: Reply): boolean {
  if (reply.some(isOurCall)) return true
  const reason = reasonOf(reply)
  const ends = !reply.some(({ type }) => type === "fail" || type === "stall" || type === "error")
  return ends && reason !== "error" && reason !== "content-filter" && reply.some(saysText)
}

function saysText(step: ReplyStep): boolean {
  if (step.type === "text") return step.chunks.some((chunk) => chunk.trim() !== "")
  return step.type === "text-delta" && step.text.trim() !== ""
}
