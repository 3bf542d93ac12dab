// East Asian wide and full-width characters and pictures take two columns; marks that join to a character take none.
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
const PLAIN = /^[\u0020-\u007E]*$/

/** How many columns a text without control characters takes. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let columns = 0
  for (const { segment } of characters(text)) columns += widthOf(segment)
  return columns
}

/** Cut to at most so many columns, with `…` at the end when something is missing. */
export function clip(text: string, columns: number): string {
  if (columns <= 0) return ""
  if (PLAIN.test(text) && text.length <= columns) return text
  let used = 0
  let kept = ""
  let end = ""
  for (const { segment } of characters(text)) {
    used += widthOf(segment)
    if (used > columns) return `${end}…`
    kept += segment
    if (used < columns) end = kept
  }
  return kept
}

/** Lines of at most so many columns, broken at spaces where there are any. */
export function wrap(text: string, columns: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(columns, 8)))
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = []
  let current = ""
  for (const word of line.split(" ").flatMap((each) => pieces(each, columns))) {
    const longer = current === "" ? word : `${current} ${word}`
    if (columnsOf(longer) <= columns) {
      current = longer
      continue
    }
    lines.push(current)
    current = word
  }
  return [...lines, current]
}

function pieces(word: string, columns: number): string[] {
  if (columnsOf(word) <= columns) return [word]
  const found: string[] = []
  let current = ""
  for (const { segment } of characters(word)) {
    if (columnsOf(current + segment) > columns) {
      found.push(current)
      current = ""
    }
    current += segment
  }
  return [...found, current]
}

function characters(text: string): Iterable<Intl.SegmentData> {
  return new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)
}

function widthOf(character: string): number {
  if (/^\p{Mark}+$/u.test(character)) return 0
  return WIDE.test(character) || character.includes("\uFE0F") ? 2 : 1
}
