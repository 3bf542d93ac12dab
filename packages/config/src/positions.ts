import type { Position } from "./finding.ts"

/**
 * Returns a function that converts an offset in the text to a position. Scans the text once, so that each call is fast.
 */
export function createPositions(text: string): (offset: number) => Position {
  let marks: { lines: number[]; pairs: number[] } | undefined
  return (offset) => {
    const { lines, pairs } = (marks ??= {
      lines: endsOf(/\r\n|\r|\n/g, text),
      pairs: endsOf(/[\u{10000}-\u{10FFFF}]/gu, text),
    })
    const line = countUpTo(lines, offset)
    const start = lines[line - 1] ?? 0
    // A character outside the Basic Multilingual Plane has two UTF-16 units.
    const doubled = countUpTo(pairs, offset) - countUpTo(pairs, start)
    return { line: line + 1, column: offset - start - doubled + 1 }
  }
}

/** Returns the ends of all matches, in ascending order. */
function endsOf(pattern: RegExp, text: string): number[] {
  return Array.from(text.matchAll(pattern), (match) => match.index + match[0].length)
}

/** Returns the number of ascending values that are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
