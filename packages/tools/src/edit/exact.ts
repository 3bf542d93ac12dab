import type { Matcher, Span } from "./span.ts"

/** Character by character, except that a line end in `oldString` stands for LF and for CR LF. */
export const exact: Matcher = {
  name: "exact",
  find(text, oldString) {
    return oldString.includes("\n") ? findLines(text, oldString) : findWithin(text, oldString)
  },
}

function findWithin(text: string, part: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    spans.push({ start: at, end: at + part.length })
  }
  return spans
}

function findLines(text: string, oldString: string): Span[] {
  const spans: Span[] = []
  const pattern = new RegExp(oldString.split(/\r?\n/).map(escapePattern).join("\\r?\\n"), "g")
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    spans.push({ start: match.index, end: match.index + match[0].length })
    pattern.lastIndex = match.index + 1
  }
  return spans
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}
