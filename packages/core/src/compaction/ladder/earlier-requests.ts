/** Maximum characters of a request, and of all requests that are carried over. */
const MAX_LINE_LENGTH = 220
const MAX_TOTAL_LENGTH = 24_000

/** Part of the size for the oldest lines. Requests at the beginning often hold for the whole session. */
const SHARE_OF_OLDEST = 1 / 3

/** Returns the user's requests so far, each as one line. Drops the middle ones if they are too long. */
export function carriedRequests(before: readonly string[], since: readonly string[]): string[] {
  return withoutMiddle([...before, ...since.map((text) => oneLine(text))], MAX_TOTAL_LENGTH)
}

/** Returns the oldest and the newest lines that fit, measured by `sizeOf`. */
export function withoutMiddle(lines: readonly string[], most: number, sizeOf: SizeOf = lengthOf): string[] {
  const [oldest, newest] = ends(lines, most, sizeOf)
  return [...oldest, ...newest]
}

/** Returns the oldest and the newest lines that fit. The second list is empty if all lines fit. */
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
  // Prompts may be megabytes. Lasting instructions are often at the end.
  const ends =
    text.length > MAX_LINE_LENGTH * 40
      ? `${text.slice(0, MAX_LINE_LENGTH * 20)} ${text.slice(-MAX_LINE_LENGTH * 20)}`
      : text
  const line = ends.replaceAll(/\s+/g, " ").trim()
  if (line.length <= MAX_LINE_LENGTH) return line
  const start = Math.ceil((MAX_LINE_LENGTH - 3) / 2)
  return `${line.slice(0, start).toWellFormed()} … ${line.slice(start + 3 - MAX_LINE_LENGTH).toWellFormed()}`
}
