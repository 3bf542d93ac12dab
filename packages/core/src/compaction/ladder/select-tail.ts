import type { MessageWithParts } from "../../record/message.ts"

export interface TailLimits {
  /** Maximum tokens of the tail. */
  readonly budget: number
  /** Maximum tokens of the newest message if it is the only one, because the model has not seen it yet. */
  readonly most: number
  /** Maximum number of turns. Default: unlimited */
  readonly turns?: number | undefined
  /**
   * Index from which messages stay at any size, because no request has carried their results. Default: the number of
   * messages
   */
  readonly unread?: number | undefined
}

/**
 * Returns the index from which messages stay unchanged; the number of messages if all are replaced. `messages` are in
 * the order of the request. The newest messages that fit the budget stay. The cut is between messages, so no call loses
 * its result. If all messages fit, only the newest stays, because else the compaction would gain nothing.
 */
export function selectTail(
  messages: readonly MessageWithParts[],
  sizeOf: (message: MessageWithParts) => number,
  { budget, most, turns = Infinity, unread = messages.length }: TailLimits,
): number {
  const newest = messages.at(-1)
  if (!newest || (turns <= 0 && unread >= messages.length)) return messages.length
  let start = Math.min(unread, messages.length - 1)
  const staying = messages.slice(start)
  let taken = staying.reduce((sum, message) => sum + sizeOf(message), 0)
  if (unread >= messages.length && taken > Math.max(budget, most)) return messages.length
  let turnsTaken = staying.filter(({ info }) => info.role === "user").length
  for (let at = start - 1; at >= 0 && turnsTaken < turns; at--) {
    const message = messages[at] as MessageWithParts
    taken += sizeOf(message)
    if (taken > budget) return start
    start = at
    if (message.info.role === "user") turnsTaken++
  }
  return start > 0 ? start : Math.min(unread, messages.length - 1)
}
