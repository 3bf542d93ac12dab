import stringWidth from "string-width"

// A column and a code unit each. Nearly every text is no more than this, and needs nothing that is slow to make, as patterns
// of Unicode's classes are.
const NARROW = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u21FF\u2500-\u25CF\u2714\u2717]*$/

/** To look for escape sequences takes quadratic time in hostile text. Texts here have none: see `@pawl/plain-text`. */
const HOSTILE = { countAnsiEscapeCodes: true }

/** Returns the number of terminal columns of a text in one line. */
export function columnsOf(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text, HOSTILE)
}

/** Cut to at most so many columns, with `…` at the end when something is missing. */
export function clip(text: string, columns: number): string {
  if (columns <= 0) return ""
  if (columnsOf(text) <= columns) return text
  if (NARROW.test(text)) return `${text.slice(0, columns - 1)}…`
  let used = 1
  let kept = ""
  for (const { segment } of characters(text)) {
    used += stringWidth(segment, HOSTILE)
    if (used > columns) break
    kept += segment
  }
  return `${kept}…`
}

/** Cut to at most so many columns, with `…` at the beginning when something is missing: of a path, the end says more. */
export function clipStart(text: string, columns: number): string {
  if (columns <= 0) return ""
  if (columnsOf(text) <= columns) return text
  let used = 1
  let kept = ""
  for (const { segment } of Array.from(characters(text)).toReversed()) {
    used += stringWidth(segment, HOSTILE)
    if (used > columns) break
    kept = segment + kept
  }
  return `…${kept}`
}

/** Splits a text into the characters that a reader sees. */
function characters(text: string): Iterable<Intl.SegmentData> {
  return new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)
}
