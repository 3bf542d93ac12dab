import { eastAsianWidth } from "get-east-asian-width"

// A column and a code unit each. Nearly every text is no more than this, and needs nothing that is slow to make, as patterns
// of Unicode's classes are.
const NARROW = /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2190-\u21FF\u2500-\u25CF\u2714\u2717]*$/

/** Returns the number of terminal columns of a text in one line. */
export function columnsOf(text: string): number {
  if (NARROW.test(text)) return text.length
  if (!isJoined(text)) return sumOfWidths(text)
  return Array.from(characters(text), ({ segment }) => widthOf(segment)).reduce((sum, width) => sum + width, 0)
}

/** Cut to at most so many columns, with `…` at the end when something is missing. */
export function clip(text: string, columns: number): string {
  if (columns <= 0) return ""
  if (columnsOf(text) <= columns) return text
  if (NARROW.test(text)) return `${text.slice(0, columns - 1)}…`
  let used = 1
  let kept = ""
  for (const { segment } of characters(text)) {
    used += widthOf(segment)
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
    used += widthOf(segment)
    if (used > columns) break
    kept = segment + kept
  }
  return `…${kept}`
}

/** Splits a text into the characters that a reader sees. */
function characters(text: string): Iterable<Intl.SegmentData> {
  return new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)
}

/** Returns true if several code points may form one character. */
function isJoined(text: string): boolean {
  return /\u200D|\uFE0F|\p{Regional_Indicator}|\p{Emoji_Modifier}/u.test(text)
}

function widthOf(character: string): number {
  const isPicture = /\uFE0F|\p{Emoji_Presentation}|\p{Regional_Indicator}/u.test(character)
  return isPicture ? 2 : sumOfWidths(character)
}

function sumOfWidths(text: string): number {
  const invisible = /[\p{Mn}\p{Me}\p{Control}\p{Default_Ignorable_Code_Point}\u1160-\u11FF]/u
  let columns = 0
  for (const point of text) if (!invisible.test(point)) columns += eastAsianWidth(point.codePointAt(0) ?? 0)
  return columns
}
