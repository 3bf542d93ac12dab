/** Characters of one request, and of all that are carried over. */
const LONGEST = 220
const MOST = 24_000

/** Of the characters that may stay, what the oldest may take: what was said at the beginning often holds for all of it. */
const SHARE_OF_OLDEST = 1 / 3

/** What the user has asked for so far, each as one line; where it is too much, the middle goes. */
export function carriedRequests(before: readonly string[], since: readonly string[]): string[] {
  return withoutMiddle([...before, ...since.map((text) => oneLine(text))], MOST)
}

/** The oldest and the newest lines that fit, measured by `sizeOf`. */
export function withoutMiddle(lines: readonly string[], most: number, sizeOf: SizeOf = lengthOf): string[] {
  const [oldest, newest] = ends(lines, most, sizeOf)
  return [...oldest, ...newest]
}

/** The same in two parts: lines are missing between them if together they are fewer. */
export function ends(lines: readonly string[], most: number, sizeOf: SizeOf): readonly [string[], string[]] {
  const total = lines.reduce((sum, line) => sum + sizeOf(line), 0)
  if (total <= most) return [[...lines], []]
  const first = fitting(lines, most * SHARE_OF_OLDEST, sizeOf)
  const last = fitting(lines.slice(first).toReversed(), most - most * SHARE_OF_OLDEST, sizeOf)
  return [lines.slice(0, first), lines.slice(Math.max(first, lines.length - last))]
}

type SizeOf = (line: string) => number

function lengthOf({ length }: string): number {
  return length
}

function fitting(lines: readonly string[], most: number, sizeOf: SizeOf): number {
  let left = most
  const end = lines.findIndex((line) => (left -= sizeOf(line)) < 0)
  return end < 0 ? lines.length : end
}

function oneLine(text: string): string {
  // Prompts may be megabytes. What holds from now on is often said at the end.
  const ends = text.length > LONGEST * 40 ? `${text.slice(0, LONGEST * 20)} ${text.slice(-LONGEST * 20)}` : text
  const line = ends.replaceAll(/\s+/g, " ").trim()
  if (line.length <= LONGEST) return line
  const start = Math.ceil((LONGEST - 3) / 2)
  return `${line.slice(0, start).toWellFormed()} … ${line.slice(start + 3 - LONGEST).toWellFormed()}`
}
