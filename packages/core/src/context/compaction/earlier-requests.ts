/** Characters of one request, and of all that are carried over. */
const LONGEST = 300
const MOST = 6000

/** Of the characters that may stay, what the oldest may take: what was said at the beginning often holds for all of it. */
const SHARE_OF_OLDEST = 1 / 3

/** What the user has asked for so far, each as one line; where it is too much, the middle goes. */
export function carriedRequests(before: readonly string[], since: readonly string[]): string[] {
  return withoutMiddle([...before, ...since.map((text) => oneLine(text))], MOST)
}

/** The oldest and the newest lines that fit. */
export function withoutMiddle(lines: readonly string[], most: number): string[] {
  const total = lines.reduce((sum, { length }) => sum + length, 0)
  if (total <= most) return [...lines]
  const first = fitting(lines, most * SHARE_OF_OLDEST)
  const last = fitting(lines.slice(first).toReversed(), most - most * SHARE_OF_OLDEST)
  return [...lines.slice(0, first), ...lines.slice(Math.max(first, lines.length - last))]
}

function fitting(lines: readonly string[], most: number): number {
  let left = most
  const end = lines.findIndex(({ length }) => (left -= length) < 0)
  return end < 0 ? lines.length : end
}

function oneLine(text: string): string {
  // Prompts may be megabytes.
  const line = text
    .slice(0, LONGEST * 20)
    .replaceAll(/\s+/g, " ")
    .trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line
}
