import { type Entry, toMessages } from "../entry.ts"

/** Returns the number of tokens of the newest turns that stay unchanged. */
export function tailBudget(usable: number): number {
  return Math.min(15_000, Math.max(2000, Math.floor(usable * 0.25)))
}

/**
 * Returns the start of the tail, or the number of entries if there is no tail. Takes whole turns from the newest back,
 * as far as the budget allows, and the end of the first turn that does not fit. Returns no tail if everything fits.
 */
export function tailStart(conversation: readonly Entry[], budget: number): number {
  let start = conversation.length
  let left = budget
  for (const [from, to] of turnsOf(conversation).toReversed()) {
    const size = estimate(conversation.slice(from, to))
    if (size > left) {
      for (let at = to - 1; at > from && estimate(conversation.slice(at, to)) <= left; at--) start = at
      break
    }
    left -= size
    start = from
  }
  return start === 0 ? conversation.length : start
}

/** Returns the ranges of turns: a user message with its answers. */
function turnsOf(conversation: readonly Entry[]): (readonly [from: number, to: number])[] {
  const begins = conversation.flatMap((entry, at) => (entry.type === "user" ? [at] : []))
  return begins.map((from, index) => [from, begins[index + 1] ?? conversation.length] as const)
}

/** Assumes four characters per token. */
function estimate(entries: readonly Entry[]): number {
  return Math.round(JSON.stringify(entries.flatMap((entry) => toMessages(entry))).length / 4)
}
