import type { MessageWithParts } from "../../record/message.ts"

export interface TailLimits {
  /** Tokens that the tail may take. */
  readonly budget: number
  /** Tokens that the newest message alone may take: the model has not seen it yet. */
  readonly most: number
  /** The most turns, 0 for none; absent: as many as fit. */
  readonly turns?: number | undefined
  /** Where the messages begin that stay whatever they take: their results have been in no request. Default: the length. */
  readonly unread?: number | undefined
}

/**
 * Where the messages begin that stay word for word: an index, the length where none does. `messages` are in the order
 * of the request. As many of the newest as fit the budget, cut between messages, so that no call loses its result.
 * Where all of them fit, only the newest stays: else nothing would be gained.
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
