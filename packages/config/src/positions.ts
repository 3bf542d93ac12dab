import type { Position } from "./finding.ts"

/** Gives the place of an offset in the text. The text is read once; each place then costs next to nothing. */
export function createPositions(text: string): (offset: number) => Position {
  let marks: { lines: number[]; pairs: number[] } | undefined
  return (offset) => {
    const { lines, pairs } = (marks ??= {
      lines: endsOf(/\r\n|\r|\n/g, text),
      pairs: endsOf(/[\u{10000}-\u{10FFFF}]/gu, text),
    })
    const line = countUpTo(lines, offset)
    const start = lines[line - 1] ?? 0
    // A character outside the basic plane takes two places in the text.
    const doubled = countUpTo(pairs, offset) - countUpTo(pairs, start)
    return { line: line + 1, column: offset - start - doubled + 1 }
  }
}

/** Returns the ends of all matches, in ascending order. */
function endsOf(pattern: RegExp, text: string): number[] {
  return Array.from(text.matchAll(pattern), (match) => match.index + match[0].length)
}

/** How many of the ascending numbers are not above the limit. */
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
