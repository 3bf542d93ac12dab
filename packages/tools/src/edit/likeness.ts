import { MAX_LENGTH, similarity } from "../similarity.ts"

/** Compares the lines of many candidates with the same wanted lines, within a work budget. */
export interface Likeness {
  /**
   * Entry n is the summed similarity of the first n lines and the first n wanted lines; equal lines count as 1. Returns
   * fewer entries if the sum cannot reach `least` any more or the budget is spent.
   */
  sums(line: (index: number) => string, count: number, least: number): readonly number[]
  /** Charges other work to the budget, in pairs of lines. */
  spend(pairs: number): void
  /** Set when the budget is spent; the last results may be incomplete. */
  readonly isSpent: boolean
}

// In compared pairs of characters; this many take about half a second.
const MAX_WORK = 50_000_000
// Fixed cost of comparing a pair of lines, and of looking up a pair that was compared before.
const PAIR_WORK = 100
const LOOKUP_WORK = 5

export function createLikeness(wanted: readonly string[], maxWork = MAX_WORK): Likeness {
  const scores = wanted.map(() => new Map<string, number>())
  let work = 0

  function scoreOf(line: string, index: number): number {
    const other = wanted[index] ?? ""
    work += LOOKUP_WORK
    if (line === other) return 1
    const before = scores[index]?.get(line)
    if (before !== undefined) return before
    work += PAIR_WORK + line.length + Math.min(line.length, MAX_LENGTH) * Math.min(other.length, MAX_LENGTH)
    const score = work > maxWork ? 0 : similarity(line, other)
    scores[index]?.set(line, score)
    return score
  }

  return {
    sums(line, count, least) {
      const sums = [0]
      let sum = 0
      for (let index = 0; index < Math.min(count, wanted.length); index++) {
        if (work > maxWork || sum + wanted.length - index < least) break
        sum += scoreOf(line(index), index)
        sums.push(sum)
      }
      return sums
    },
    spend(pairs) {
      work += pairs * LOOKUP_WORK
    },
    get isSpent() {
      return work > maxWork
    },
  }
}
