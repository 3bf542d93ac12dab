import type { MessageWithParts } from "../../session/message.ts"

export interface TailLimits {
  /** Tokens that the tail may take. */
  readonly budget: number
  /** Tokens that the newest message alone may take: the model has not seen it yet. */
  readonly most: number
  /** The most turns, 0 for none; absent: as many as fit. */
  readonly turns?: number | undefined
}

/**
 * Where the messages begin that stay word for word: an index, the length where none does. `messages` are in the order
 * of the request. As many of the newest as fit the budget, cut between messages, so that no call loses its result.
 * Where all of them fit, only the newest stays: else nothing would be gained.
 */
export function selectTail(
  messages: readonly MessageWithParts[],
  sizeOf: (message: MessageWithParts) => number,
  { budget, most, turns = Infinity }: TailLimits,
): number {
  const newest = messages.at(-1)
  if (!newest || turns <= 0) return messages.length
  const size = sizeOf(newest)
  if (size > Math.max(budget, most)) return messages.length
  let start = messages.length - 1
  let taken = size
  let turnsTaken = newest.info.role === "user" ? 1 : 0
  for (let at = start - 1; at >= 0 && turnsTaken < turns; at--) {
    const message = messages[at] as MessageWithParts
    taken += sizeOf(message)
    if (taken > budget) return start
    start = at
    if (message.info.role === "user") turnsTaken++
  }
  return start > 0 ? start : messages.length - 1
}
