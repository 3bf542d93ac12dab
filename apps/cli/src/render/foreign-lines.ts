import { wrap } from "./flow.ts"
import { visibleText } from "./plain.ts"
import { columnsOf } from "./width.ts"

/** What foreign text stands behind, so that no line of it can be taken for one of pawl's own. */
export const BAR = "│ "

/**
 * Foreign text in lines of at most so many columns, in full and with all that could hide in it: who decides about it has
 * to have seen it. No line of it can go on at the terminal's edge, where it would look like a line of somebody else.
 */
export function foreignLines(text: string, columns: number): string[] {
  const room = Math.max(columns, 8)
  return visibleSpaces(visibleText(text))
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrap(line.replaceAll("\t", "  "), room))
    .flatMap((line) => cut(line, room))
}

/** The same behind the bar. */
export function barredLines(text: string, columns: number, indent = ""): string[] {
  return foreignLines(text, columns - BAR.length - indent.length).map((line) => `${BAR}${indent}${line}`)
}

/** Foreign text in one line, with all that could hide in it. */
export function foreignLine(text: string): string {
  return visibleSpaces(visibleText(text)).replaceAll(/\s+/g, " ").trim()
}

/** What looks like a space and is none, written out; the wide one of East Asian text is left. */
function visibleSpaces(text: string): string {
  return text.replaceAll(
    /(?![ \u3000])\p{Zs}/gu,
    (space) => `\\u${space.codePointAt(0)?.toString(16).padStart(4, "0")}`,
  )
}

function cut(line: string, columns: number): string[] {
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
