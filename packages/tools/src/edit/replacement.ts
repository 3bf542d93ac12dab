import { blockAnchors } from "./block-anchors.ts"
import { escapeNormalised } from "./escape-normalised.ts"
import { exact } from "./exact.ts"
import { indentationFlexible } from "./indentation-flexible.ts"
import { lineTrimmed } from "./line-trimmed.ts"
import { lookAlikes } from "./look-alikes.ts"
import { toSourceLines } from "./source-lines.ts"
import type { Matcher, SearchedText } from "./matcher.ts"
import type { Span } from "./span.ts"
import { whitespaceNormalised } from "./whitespace-normalised.ts"

/** From strict to tolerant. The first matcher with a match decides, also if the match is ambiguous. */
const matchers: readonly Matcher[] = [
  exact,
  indentationFlexible,
  lineTrimmed,
  whitespaceNormalised,
  lookAlikes,
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
  /** `lines` are the start lines of the first ten matches, counted from 1. */
  | { readonly type: "ambiguous"; readonly lines: readonly number[]; readonly hasMore: boolean }

const MAX_LISTED = 10

/** Applies an edit with a non-empty `oldString` to a text. */
export function replacement(text: string, { oldString, newString, replaceAll }: Edit): Replacement {
  const source: SearchedText = { text, lines: toSourceLines(text) }
  // Tolerant matchers ignore white space, so they would match anywhere.
  const usable = oldString.trim() === "" ? [exact] : matchers
  for (const matcher of usable) {
    const isAll = replaceAll && !matcher.isGuess
    const found = matcher.find(source, oldString, { isApart: isAll })
    const spans = isAll ? [...found] : firstOf(found, MAX_LISTED + 1)
    if (spans.length === 0) continue
    if (spans.length > 1 && !isAll) return ambiguous(text, spans)
    const inserted = matcher.adapt?.(newString) ?? newString
    return { type: "replaced", text: replaced(text, spans, inserted), matcher: matcher.name, count: spans.length }
  }
  return { type: "not-found" }
}

function firstOf(spans: Iterable<Span>, count: number): readonly Span[] {
  const first: Span[] = []
  for (const span of spans) {
    first.push(span)
    if (first.length === count) break
  }
  return first
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

function ambiguous(text: string, spans: readonly Span[]): Replacement {
  let line = 1
  let at = 0
  const lines = spans.slice(0, MAX_LISTED).map(({ start }) => {
    for (let newline = text.indexOf("\n", at); newline !== -1 && newline < start; newline = text.indexOf("\n", at)) {
      line++
      at = newline + 1
    }
    return line
  })
  return { type: "ambiguous", lines, hasMore: spans.length > MAX_LISTED }
}
