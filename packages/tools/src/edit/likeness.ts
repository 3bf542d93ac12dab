import { MAX_LENGTH, similarity } from "../similarity.ts"

/** Compares the lines of many candidates with the same wanted lines, within a limited amount of work. */
export interface Likeness {
  /**
   * Entry n: how alike the first n of `count` lines and the first n wanted lines are, a line that is the same counting
   * as 1. Ends early, and is short then, where the sum cannot reach `least` any more or the work is spent.
   */
  sums(line: (index: number) => string, count: number, least: number): readonly number[]
  /** Counts other work, in pairs of lines. */
  spend(pairs: number): void
  /** What was asked since then has no full answer. */
  readonly isSpent: boolean
}

// In pairs of characters compared; this many take about half a second.
const MAX_WORK = 50_000_000
// What a pair of lines costs besides its characters, when it is compared and when it is known already.
const PAIR_WORK = 100
const LOOKUP_WORK = 5

export function createLikeness(wanted: readonly string[], maxWork = MAX_WORK): Likeness {
  const known = wanted.map(() => new Map<string, number>())
  let work = 0

  function scoreOf(line: string, index: number): number {
    const other = wanted[index] ?? ""
    work += LOOKUP_WORK
    if (line === other) return 1
    const before = known[index]?.get(line)
    if (before !== undefined) return before
    work += PAIR_WORK + line.length + Math.min(line.length, MAX_LENGTH) * Math.min(other.length, MAX_LENGTH)
    const score = work > maxWork ? 0 : similarity(line, other)
    known[index]?.set(line, score)
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
