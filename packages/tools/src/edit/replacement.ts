import { blockAnchors } from "./block-anchors.ts"
import { escapeNormalised } from "./escape-normalised.ts"
import { exact } from "./exact.ts"
import { indentationFlexible } from "./indentation-flexible.ts"
import { lineTrimmed } from "./line-trimmed.ts"
import type { Matcher, Span } from "./span.ts"
import { whitespaceNormalised } from "./whitespace-normalised.ts"

/** From the strictest to the most tolerant: the first that finds anything decides, also when it finds too much. */
const matchers: readonly Matcher[] = [
  exact,
  indentationFlexible,
  lineTrimmed,
  whitespaceNormalised,
  escapeNormalised,
  blockAnchors,
]

export interface Edit {
  readonly oldString: string
  readonly newString: string
  readonly replaceAll: boolean
}

export type Replacement =
  | { readonly type: "replaced"; readonly text: string; readonly matcher: string; readonly count: number }
  | { readonly type: "not-found" }
  /** `lines`: where the matches start, from 1. */
  | { readonly type: "ambiguous"; readonly lines: readonly number[] }

/** Applies an edit with a non-empty `oldString` to a text. */
export function replacement(text: string, { oldString, newString, replaceAll }: Edit): Replacement {
  // White space alone is found by anything that ignores white space.
  const usable = oldString.trim() === "" ? [exact] : matchers
  for (const matcher of usable) {
    const found = matcher.find(text, oldString)
    if (found.length === 0) continue
    const isAll = replaceAll && !matcher.isGuess
    if (found.length > 1 && !isAll) return { type: "ambiguous", lines: lineNumbers(text, found) }
    const spans = withoutOverlaps(found)
    const inserted = matcher.adapt?.(newString) ?? newString
    return { type: "replaced", text: replaced(text, spans, inserted), matcher: matcher.name, count: spans.length }
  }
  return { type: "not-found" }
}

function replaced(text: string, spans: readonly Span[], inserted: string): string {
  const pieces: string[] = []
  let end = 0
  for (const span of spans) {
    pieces.push(text.slice(end, span.start), inserted)
    end = span.end
  }
  return pieces.join("") + text.slice(end)
}

function withoutOverlaps(spans: readonly Span[]): readonly Span[] {
  let end = 0
  return spans.filter((span) => {
    if (span.start < end) return false
    end = span.end
    return true
  })
}

function lineNumbers(text: string, spans: readonly Span[]): readonly number[] {
  let line = 1
  let at = 0
  return spans.map(({ start }) => {
    for (let newline = text.indexOf("\n", at); newline !== -1 && newline < start; newline = text.indexOf("\n", at)) {
      line++
      at = newline + 1
    }
    return line
  })
}
