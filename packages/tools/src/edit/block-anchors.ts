import { createLikeness, type Likeness } from "./likeness.ts"
import { allLines, type SourceLines, toSourceLines } from "./source-lines.ts"
import type { Matcher } from "./matcher.ts"
import type { Span } from "./span.ts"

const MIN_LINES = 3
const MIN_SIMILARITY = 0.65
/** Allowed difference in length between a block and `oldString`, as a share of its lines. */
const MAX_LENGTH_DIFFERENCE = 0.25

/**
 * Matches blocks of three or more lines whose first and last line are equal (trimmed) and whose middle is at least 65
 * percent similar. Of blocks with the same first line, only the most similar one counts. Returns nothing if comparing
 * all candidates would take too long, because an unseen candidate might match as well.
 */
export const blockAnchors: Matcher = {
  name: "block anchors",
  isGuess: true,
  find({ lines }, oldString) {
    const wanted = allLines(toSourceLines(oldString)).map((line) => line.trim())
    const [first, last] = [wanted[0], wanted.at(-1)]
    if (wanted.length < MIN_LINES || !first || !last) return []
    const likeness = createLikeness(wanted.slice(1, -1))
    const spans: Span[] = []
    for (let start = 0; start < lines.count && !likeness.isSpent; start++) {
      if (lines.trimmed(start) !== first) continue
      const length = bestLength(lines, start, wanted, likeness)
      if (length > 0) spans.push(lines.span(start, length, oldString.endsWith("\n")))
    }
    return likeness.isSpent ? [] : spans
  },
}

/** Returns the length of the most similar block that starts at `start`; 0 if no block is similar enough. */
function bestLength(lines: SourceLines, start: number, wanted: readonly string[], likeness: Likeness): number {
  const slack = Math.max(1, Math.floor(wanted.length * MAX_LENGTH_DIFFERENCE))
  const shortest = Math.max(MIN_LINES, wanted.length - slack)
  const lengths: number[] = []
  for (let length = shortest; length <= Math.min(wanted.length + slack, lines.count - start); length++) {
    if (lines.trimmed(start + length - 1) === wanted.at(-1)) lengths.push(length)
  }
  likeness.spend(wanted.length + slack - shortest + 1)
  const longest = lengths.at(-1)
  if (longest === undefined) return 0
  const middle = wanted.length - 2
  const sums = likeness.sums((index) => lines.trimmed(start + 1 + index), longest - 2, MIN_SIMILARITY * middle)
  let best = { length: 0, score: 0 }
  for (const length of lengths) {
    // An extra or missing line counts as different.
    const score = (sums[Math.min(length - 2, middle)] ?? 0) / Math.max(length - 2, middle)
    if (score >= MIN_SIMILARITY && score > best.score) best = { length, score }
  }
  return best.length
}
