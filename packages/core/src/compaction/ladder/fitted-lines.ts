export interface LineBudget {
  /** Tokens of all lines together. */
  readonly budget: number
  readonly tokensOf: (text: string) => number
}

/** Returns a note for the model: the number of missing entries of a list, and how to find them. */
export function missing(count: number): string {
  return count > 0 ? `(${count} more not shown: search for them with the tool recall)` : ""
}

/** Minimum tokens of a useful line. */
const MIN_LINE_TOKENS = 15

/**
 * Returns the lines within a budget, in order. If they do not fit, the longest are cut first, all to the same length.
 * If that length is too short, lines in the middle are left out and counted.
 */
export function fittedLines(lines: readonly string[], { budget, tokensOf }: LineBudget): string[] {
  const sizes = lines.map((line) => tokensOf(line) + 2)
  if (sum(sizes) <= budget) return [...lines]
  const level = levelFor(sizes, budget)
  if (level >= MIN_LINE_TOKENS) return lines.map((line) => cut(line, level - 2, tokensOf))
  const room = budget - tokensOf(missing(lines.length)) - 2
  if (room < 0) return []
  const count = Math.floor(room / MIN_LINE_TOKENS)
  const last = Math.floor(count / 2)
  const short = (line: string) => cut(line, MIN_LINE_TOKENS - 2, tokensOf)
  const [oldest, newest] = [lines.slice(0, count - last), lines.slice(lines.length - last)]
  return [...oldest.map(short), missing(lines.length - count), ...newest.map(short)]
}

/** Returns the size to which the longest lines are cut so that all fit. */
function levelFor(sizes: readonly number[], budget: number): number {
  let left = budget
  const sorted = sizes.toSorted((a, b) => a - b)
  for (const [at, size] of sorted.entries()) {
    const level = left / (sorted.length - at)
    if (size > level) return Math.floor(level)
    left -= size
  }
  return Infinity
}

const CUT = "… (cut: the whole can be found with recall)"

/** Returns the beginning of a text, with a note if something is missing. */
export function cut(text: string, tokens: number, tokensOf: (text: string) => number): string {
  const size = tokensOf(text)
  if (size <= tokens) return text
  const note = tokensOf(CUT) < tokens / 2 ? CUT : "…"
  const characters = Math.floor((text.length * Math.max(0, tokens - tokensOf(note))) / size)
  let shown = `${text.slice(0, characters).toWellFormed()}${note}`
  // Characters differ in tokens, so shorten until the text fits.
  for (let length = characters; length > 0 && tokensOf(shown) > tokens;) {
    length = Math.floor(length / 2)
    shown = `${text.slice(0, length).toWellFormed()}${note}`
  }
  return shown
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
