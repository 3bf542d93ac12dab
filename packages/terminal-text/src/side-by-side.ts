import { columnsOf } from "./width.ts"
import type { DiffLine } from "./diff-lines.ts"
import type { Style, Theme } from "./theme.ts"
import { type Piece, wordChanges } from "./word-changes.ts"

/** A line of a difference, with its numbers in the old and the new text if they are known. */
export interface NumberedLine extends DiffLine {
  readonly old?: number
  readonly next?: number
}

export interface SideBySideLayout {
  readonly columns: number
  readonly theme: Theme
}

/** Columns from which both sides have room for lines of code. */
export const MIN_SIDE_BY_SIDE_COLUMNS = 140

const BORDER = " │ "

/** Parses a unified difference. Lines between its parts become gaps. */
export function numberedLines(patch: string): NumberedLine[] {
  const lines: NumberedLine[] = []
  let [old, next] = [0, 0]
  let isInHunk = false
  for (const line of patch.split("\n")) {
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? []
    const text = line.slice(1)
    if (from !== undefined && to !== undefined) {
      if (isInHunk) lines.push({ kind: "gap", text: "" })
      isInHunk = true
      ;[old, next] = [Number(from), Number(to)]
    } else if (!isInHunk) continue
    else if (line.startsWith("+")) lines.push({ kind: "added", text, next: next++ })
    else if (line.startsWith("-")) lines.push({ kind: "removed", text, old: old++ })
    else if (line.startsWith(" ")) lines.push({ kind: "context", text, old: old++, next: next++ })
  }
  return lines
}

/**
 * Renders the old text at the left and the new one at the right. Changed words are marked, and long lines are wrapped within
 * their side. Texts must be free of control characters.
 */
export function sideBySideLines(lines: readonly NumberedLine[], { columns, theme }: SideBySideLayout): string[] {
  const side = Math.floor((columns - BORDER.length) / 2)
  const digits = lines.reduce((most, { old = 0, next = 0 }) => Math.max(most, old, next), 0).toString().length
  const numberWidth = lines.some(({ old, next }) => old !== undefined || next !== undefined) ? digits + 1 : 0
  const empty = " ".repeat(side)
  return rowsOf(lines).flatMap(({ left, right, isGap }) => {
    if (isGap) return [theme.faint(`${" ".repeat(numberWidth)}⋮`)]
    const [old, next] = cellPieces(left, right)
    const layout = { room: Math.max(8, side - numberWidth - 2), numberWidth, theme }
    const [before, after] = [
      left ? cellLines(left, left.old, old, layout) : [],
      right ? cellLines(right, right.next, next, layout) : [],
    ]
    return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => {
      return `${before[at]?.padded ?? empty}${theme.faint(BORDER)}${after[at]?.text ?? ""}`.trimEnd()
    })
  })
}

interface Row {
  readonly left?: NumberedLine | undefined
  readonly right?: NumberedLine | undefined
  readonly isGap?: boolean
}

/** Puts removed lines beside the added ones that follow them. */
function rowsOf(lines: readonly NumberedLine[]): Row[] {
  const rows: Row[] = []
  let [removed, added]: [NumberedLine[], NumberedLine[]] = [[], []]
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      rows.push({ left: removed[at], right: added[at] })
    ;[removed, added] = [[], []]
  }
  for (const line of lines) {
    if (line.kind === "removed") {
      if (added.length > 0) flush()
      removed.push(line)
    } else if (line.kind === "added") added.push(line)
    else {
      flush()
      rows.push(line.kind === "gap" ? { isGap: true } : { left: line, right: line })
    }
  }
  flush()
  return rows
}

function cellPieces(left: NumberedLine | undefined, right: NumberedLine | undefined) {
  const [before, after] = [shown(left), shown(right)]
  if (left && right && left.kind !== "context") return wordChanges(before, after)
  const isChanged = left?.kind !== "context"
  return [[{ text: before, isChanged }], [{ text: after, isChanged }]] as const
}

function shown(line: NumberedLine | undefined): string {
  return line?.text.replaceAll("\t", "  ") ?? ""
}

interface CellLayout {
  readonly room: number
  readonly numberWidth: number
  readonly theme: Theme
}

/** Renders a line of one side: its number, its sign and its text. */
function cellLines(
  { kind }: NumberedLine,
  number: number | undefined,
  pieces: readonly Piece[],
  { room, numberWidth, theme }: CellLayout,
): { readonly text: string; readonly padded: string }[] {
  const sign = kind === "added" ? "+" : kind === "removed" ? "-" : " "
  const style = kind === "added" ? theme.added : kind === "removed" ? theme.removed : theme.faint
  const isWhole = pieces.length === 1
  const marked: Style = isWhole ? style : (text) => theme.strong(style(text))
  return wrapped(pieces, room).map((line, at) => {
    const shownNumber = at === 0 && number !== undefined ? `${number} ` : ""
    const head = numberWidth === 0 ? "" : theme.faint(shownNumber.padStart(numberWidth))
    const text = line.map((piece) => (piece.isChanged ? marked(piece.text) : isWhole ? style(piece.text) : piece.text))
    const rendered = `${head}${at === 0 ? style(sign) : " "} ${text.join("")}`
    const width = line.reduce((sum, piece) => sum + columnsOf(piece.text), 0)
    return { text: rendered, padded: rendered + " ".repeat(Math.max(0, room - width)) }
  })
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Breaks pieces into lines of at most so many columns, between characters. */
function wrapped(pieces: readonly Piece[], room: number): Piece[][] {
  const lines: Piece[][] = [[]]
  let used = 0
  for (const piece of pieces) {
    const { text, isChanged } = piece
    const columns = columnsOf(text)
    if (used + columns <= room) {
      lines.at(-1)?.push(piece)
      used += columns
      continue
    }
    for (const { segment } of characters.segment(text)) {
      const width = columnsOf(segment)
      if (used + width > room && used > 0) {
        lines.push([])
        used = 0
      }
      used += width
      const line = lines.at(-1) ?? []
      const last = line.at(-1)
      if (last?.isChanged === isChanged) line[line.length - 1] = { text: last.text + segment, isChanged }
      else line.push({ text: segment, isChanged })
    }
  }
  return lines
}
