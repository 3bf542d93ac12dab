import { createLineBudget, type LineBudget } from "./line-budget.ts"
import type { FindOptions, Matcher } from "./matcher.ts"
import type { Span } from "./span.ts"

/** Matches character by character, except that a line end in `oldString` matches LF and CR LF. */
export const exact: Matcher = {
  name: "exact",
  find({ text }, oldString, options) {
    const lines = oldString.replaceAll("\r\n", "\n")
    if (!lines.includes("\n") || !text.includes("\r\n")) return findWithin(text, lines, options)
    if (!/(?<!\r)\n/.test(text)) return findWithin(text, lines.replaceAll("\n", "\r\n"), options)
    return findLines(text, lines, options)
  },
}

function* findWithin(text: string, part: string, { isApart }: FindOptions): Iterable<Span> {
  const step = isApart ? part.length : 1
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) {
    yield { start: at, end: at + part.length }
  }
}

/** Searches a text that has both kinds of line endings. */
function* findLines(text: string, oldString: string, { isApart }: FindOptions): Iterable<Span> {
  const budget = createLineBudget()
  const [first = "", ...others] = oldString.split("\n")
  for (let at = startOf(text, first, 0); at !== -1;) {
    const end = endOf(text, at + first.length, others, budget)
    if (end !== undefined) yield { start: at, end }
    // CR LF is one line end. Do not find a second match inside of it.
    const step = first === "" && text[at] === "\r" ? 2 : 1
    at = startOf(text, first, end !== undefined && isApart ? end : at + step)
  }
}

function startOf(text: string, first: string, from: number): number {
  if (first !== "") return text.indexOf(first, from)
  const newline = text.indexOf("\n", from)
  return newline > from && text[newline - 1] === "\r" ? newline - 1 : newline
}

/** Returns the end of `lines` if they follow the line end at `from`. */
function endOf(text: string, from: number, lines: readonly string[], budget: LineBudget): number | undefined {
  let at = from
  for (const line of lines) {
    budget.spend(1)
    if (text[at] === "\r" && text[at + 1] === "\n") at++
    if (text[at] !== "\n" || !text.startsWith(line, at + 1)) return undefined
    at += 1 + line.length
  }
  return at
}

/** `pattern` must be global and must not match an empty text. */
export function* matchesOf(text: string, pattern: RegExp, { isApart }: FindOptions): Iterable<Span> {
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    yield { start: match.index, end: match.index + match[0].length }
    if (!isApart) pattern.lastIndex = match.index + 1
  }
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
