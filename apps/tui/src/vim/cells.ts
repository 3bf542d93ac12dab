import { columnsOf } from "@pawl/terminal-text/width"
import type { EditedText } from "../terminal/edited-text.ts"

/** A text and its caret in characters as a reader sees them, so that no edit cuts one. Line breaks are cells, too. */
export interface Cells {
  readonly cells: readonly string[]
  readonly at: number
}

/** A folded paste is one cell. */
const PASTE = /(\[paste #\d+(?: (?:\+\d+ lines|\d+ chars))?\])/

export function cellsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })
  return text.split(PASTE).flatMap((piece, index) => {
    return index % 2 === 1 ? [piece] : Array.from(segmenter.segment(piece), ({ segment }) => segment)
  })
}

export function toCells({ text, caret }: EditedText): Cells {
  const cells = cellsOf(text)
  let end = 0
  // A caret within a character stands at its beginning.
  const at = cells.findIndex((cell) => (end += cell.length) > caret)
  return { cells, at: at < 0 ? cells.length : at }
}

export function toEditedText({ cells, at }: Cells): EditedText {
  return { text: cells.join(""), caret: cells.slice(0, at).join("").length }
}

/** Returns the index of the first cell of a line. */
export function lineStart(cells: readonly string[], at: number): number {
  return at === 0 ? 0 : cells.lastIndexOf("\n", at - 1) + 1
}

/** Returns the index behind the last cell of a line: that of its line break, or the end of the text. */
export function lineEnd(cells: readonly string[], at: number): number {
  const end = cells.indexOf("\n", at)
  return end < 0 ? cells.length : end
}

/** Returns the first cell of a line that is not a space, or its last cell. */
export function firstText(cells: readonly string[], at: number): number {
  const end = lineEnd(cells, at)
  let first = lineStart(cells, at)
  while (first < end - 1 && cells[first]?.trim() === "") first++
  return first
}

/** Puts the caret on a character: outside of insert mode it does not stand behind a line. */
export function onCell({ cells, at }: Cells): Cells {
  const start = lineStart(cells, at)
  const end = lineEnd(cells, at)
  return { cells, at: at >= end && end > start ? end - 1 : at }
}

/** Returns the columns of the terminal between the beginning of the line and a cell. */
export function columnOf(cells: readonly string[], at: number): number {
  return columnsOf(cells.slice(lineStart(cells, at), at).join(""))
}

/** Returns the cell of a line that covers a column, or the end of the line. `at`: any cell of the line. */
export function cellAtColumn(cells: readonly string[], at: number, column: number): number {
  const end = lineEnd(cells, at)
  let cell = lineStart(cells, at)
  for (let used = 0; cell < end; cell++) {
    used += columnsOf(cells[cell] ?? "")
    if (used > column) break
  }
  return cell
}

/** Returns the first cell of the line that is so many lines below, or above if negative. Stops at the last and the first line. */
export function lineAway(cells: readonly string[], at: number, lines: number): number {
  let start = lineStart(cells, at)
  for (let left = Math.abs(lines); left > 0; left--) {
    if (lines < 0 ? start === 0 : lineEnd(cells, start) === cells.length) break
    start = lines < 0 ? lineStart(cells, start - 1) : lineEnd(cells, start) + 1
  }
  return start
}
