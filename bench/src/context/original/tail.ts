import { type Entry, toMessages } from "../entry.ts"

/** Tokens of the newest turns that stay as they are. */
export function tailBudget(usable: number): number {
  return Math.min(15_000, Math.max(2000, Math.floor(usable * 0.25)))
}

/**
 * Where the tail begins, the length where there is none. Whole turns from the newest back, as far as the budget goes;
 * one that does not fit gives the end of it that does. Where everything fits, nothing stays.
 */
export function tailStart(talk: readonly Entry[], budget: number): number {
  let start = talk.length
  let left = budget
  for (const [from, to] of turnsOf(talk).toReversed()) {
    const size = estimate(talk.slice(from, to))
    if (size > left) {
      for (let at = to - 1; at > from && estimate(talk.slice(at, to)) <= left; at--) start = at
      break
    }
    left -= size
    start = from
  }
  return start === 0 ? talk.length : start
}

/** A message of the user with what follows it. */
function turnsOf(talk: readonly Entry[]): (readonly [from: number, to: number])[] {
  const begins = talk.flatMap((entry, at) => (entry.type === "user" ? [at] : []))
  return begins.map((from, index) => [from, begins[index + 1] ?? talk.length] as const)
}

/** Four characters are a token. */
function estimate(entries: readonly Entry[]): number {
  return Math.round(JSON.stringify(entries.flatMap((entry) => toMessages(entry))).length / 4)
}
