import { wrap } from "./flow.ts"
import { visibleText } from "@pawl/plain-text"
import { columnsOf } from "./width.ts"

/** Prefix of foreign text, so that it cannot be mistaken for a line of pawl. */
export const BAR = "│ "

/**
 * Renders foreign text in lines of at most `columns` columns, complete and with hidden characters visible, because the user
 * decides about it. No line wraps at the terminal's edge, where it could be mistaken for a line of pawl.
 */
export function foreignLines(text: string, columns: number): string[] {
  const room = Math.max(columns, 8)
  return visibleSpaces(visibleText(text))
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrap(line.replaceAll("\t", "  "), room))
    .flatMap((line) => cutLine(line, room))
}

/** Renders the same behind the bar. */
export function barredLines(text: string, columns: number, indent = ""): string[] {
  return foreignLines(text, columns - BAR.length - indent.length).map((line) => `${BAR}${indent}${line}`)
}

/** Renders foreign text in one line, with hidden characters visible. */
export function foreignLine(text: string): string {
  return visibleSpaces(visibleText(text)).replaceAll(/\s+/g, " ").trim()
}

/** Makes hidden characters of a line visible, and keeps its spaces. */
export function visibleLine(text: string): string {
  return visibleSpaces(visibleText(text))
}

/** Writes out characters that look like a space, except the wide space of East Asian text. */
function visibleSpaces(text: string): string {
  return text.replaceAll(
    /(?![ \u3000])\p{Zs}/gu,
    (space) => `\\u${space.codePointAt(0)?.toString(16).padStart(4, "0")}`,
  )
}

/** Breaks a line at so many columns, also within a word: no terminal has to. */
export function cutLine(line: string, columns: number): string[] {
  if (columnsOf(line) <= columns) return [line]
  const lines: string[] = []
  let current = ""
  let used = 0
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(line)) {
    const width = columnsOf(segment)
    if (used + width > columns && current !== "") {
      lines.push(current)
      current = ""
      used = 0
    }
    current += segment
    used += width
  }
  return [...lines, current]
}
