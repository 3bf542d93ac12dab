import { escapePattern } from "./exact.ts"
import type { Matcher } from "./matcher.ts"
import type { Span } from "./span.ts"

/**
 * The same words with other white space between them. A line end stays a line end (blank lines and indentation may
 * differ); words are matched whole where `oldString` has white space around them.
 */
export const whitespaceNormalised: Matcher = {
  name: "white space",
  *find({ text }, oldString): Iterable<Span> {
    if (oldString.length > LONGEST) return
    for (const match of text.matchAll(new RegExp(toPattern(oldString), "g"))) {
      yield { start: match.index, end: match.index + match[0].length }
    }
  },
}

/** Of a longer text there can be no regular expression. */
const LONGEST = 20_000
const SPACE = "[^\\S\\n]"
// Each run of white space is tried from its start alone: from within, a long one would cost its length squared.
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

/** White space at the ends of `oldString` is replaced with it, or indentation would double. */
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
