import { escapePattern } from "./exact.ts"
import type { Matcher } from "./matcher.ts"
import type { Span } from "./span.ts"

/**
 * Matches the same words with other white space between them. A line end matches a line end, with any blank lines and
 * indentation around it. Words at the ends of `oldString` match whole only if `oldString` has white space there.
 */
export const whitespaceNormalised: Matcher = {
  name: "white space",
  *find({ text }, oldString): Iterable<Span> {
    if (oldString.length > MAX_OLD_STRING_LENGTH) return
    for (const match of text.matchAll(new RegExp(toPattern(oldString), "g"))) {
      yield { start: match.index, end: match.index + match[0].length }
    }
  },
}

/** A regular expression cannot be built from a longer text. */
const MAX_OLD_STRING_LENGTH = 20_000
const SPACE = "[^\\S\\n]"
// Tries each run of white space from its start only; otherwise a long run would take quadratic time.
const RUN_START = `(?<!${SPACE})`

function toPattern(oldString: string): string {
  const core = oldString.trim()
  const start = oldString.indexOf(core)
  const [leading, trailing] = [oldString.slice(0, start), oldString.slice(start + core.length)]
  const words = core.split(/(\s+)/)
  const body = words.map((piece, index) => (index % 2 === 0 ? escapePattern(piece) : between(piece))).join("")
  return before(leading) + body + after(trailing)
}

function between(space: string): string {
  return space.includes("\n") ? `${SPACE}*\\n\\s*` : `${SPACE}+`
}

/** Also matches white space at the ends of `oldString`; otherwise the indentation would double. */
function before(space: string): string {
  if (space === "") return ""
  return space.includes("\n") ? `${RUN_START}${lineEnd(space)}` : `(?:${RUN_START}${SPACE}+|(?<![^\\n]))`
}

function after(space: string): string {
  if (space === "") return ""
  return space.includes("\n") ? lineEnd(space) : `(?:${SPACE}+|(?=\\n|$))`
}

function lineEnd(space: string): string {
  return `${SPACE}*\\n${space.endsWith("\n") ? "" : `${SPACE}*`}`
}
