import type { FindOptions, Matcher, Span } from "./span.ts"

/** Character by character, except that a line end in `oldString` stands for LF and for CR LF. */
export const exact: Matcher = {
  name: "exact",
  find: ({ text }, oldString, options) =>
    oldString.includes("\n") ? findLines(text, oldString, options) : findWithin(text, oldString, options),
}

function* findWithin(text: string, part: string, { isApart }: FindOptions): Iterable<Span> {
  const step = isApart ? part.length : 1
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) {
    yield { start: at, end: at + part.length }
  }
}

function* findLines(text: string, oldString: string, { isApart }: FindOptions): Iterable<Span> {
  const pattern = new RegExp(oldString.split(/\r?\n/).map(escapePattern).join("\\r?\\n"), "g")
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    yield { start: match.index, end: match.index + match[0].length }
    if (!isApart) pattern.lastIndex = match.index + 1
  }
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
