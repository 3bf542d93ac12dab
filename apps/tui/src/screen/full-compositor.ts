/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import {
  BEGIN,
  type Caret,
  CLEAR_LINE,
  columnMove,
  type Compositor,
  END,
  HIDE,
  NO_WRAP,
  SHOW,
  WRAP,
  fitted,
} from "./compositor.ts"

export interface FullCompositorOptions {
  /** Renders the line that says how many lines are below the shown ones. */
  readonly belowLine: (lines: number) => string
  /** Maximum number of finished lines that are kept. Default: 20,000. */
  readonly limit?: number
}

/** Scrolls the finished lines. Each method returns false if nothing moves. */
export interface Scrolling {
  /** Moves by lines; a negative number goes up. */
  by(lines: number): boolean
  /** Moves by pages of the part above the live region. */
  byPage(pages: number): boolean
  toStart(): boolean
  toEnd(): boolean
  isAtEnd(): boolean
}

export interface FullCompositor extends Compositor {
  readonly scrolling: Scrolling
}

const MAX_LINES = 20_000
/** Marks of prompts are for a terminal's own scrollback. */
const PROMPT_MARK = /\u001B\]133;[^\u0007\u001B]*(?:\u0007|\u001B\\)/g

/**
 * Draws on all rows of the alternate screen, which the terminal's modes enter and leave. Only rows that have changed are
 * written.
 *
 *   finished lines   kept here, the newest ones or those that the user scrolled to
 *   ↓ 12 lines below while scrolled
 *   live region      as in the scrollback's compositor
 */
export function createFullCompositor({ belowLine, limit = MAX_LINES }: FullCompositorOptions): FullCompositor {
  let kept: string[] = []
  /** Kept lines below the shown ones. */
  let below = 0
  /** Rows above the live region, in the newest frame. */
  let height = 1
  /** Rows of the screen; undefined if they are not known. */
  let drawn: (string | undefined)[] = []
  let caretAt: Caret | undefined

  function scrollTo(wanted: number): boolean {
    // Below the shown lines, a row counts them.
    const last = Math.max(0, kept.length - height + 1)
    const next = kept.length <= height ? 0 : Math.max(0, Math.min(wanted, last))
    if (next === below) return false
    below = next
    return true
  }

  function add(lines: readonly string[], isAll: boolean): void {
    const plain = lines.map((line) => line.replaceAll(PROMPT_MARK, ""))
    if (isAll) kept = plain
    else for (const line of plain) kept.push(line)
    // The user keeps reading the same lines.
    if (below > 0 && !isAll) below += plain.length
    if (kept.length > limit) kept = kept.slice(-limit)
  }

  function shownLines(): string[] {
    if (below === 0) return kept.slice(Math.max(0, kept.length - height))
    const end = kept.length - below
    return [...kept.slice(Math.max(0, end - height + 1), end), belowLine(below)]
  }

  return {
    frame(commits, region, size, isAll = false) {
      const share = kept.length > 0 ? below / kept.length : 0
      add(commits, isAll)
      if (isAll) below = Math.round(share * kept.length)
      const live = fitted(region, size)
      height = Math.max(1, size.rows - live.lines.length)
      if (below > 0) scrollTo(below)
      const above = fitted({ lines: shownLines() }, { columns: size.columns, rows: height + 1 }).lines
      const rows = [...above, ...live.lines]
      while (rows.length < size.rows) rows.push("")
      const caret = live.caret && { ...live.caret, row: live.caret.row + above.length }
      const changed = rows.flatMap((line, row) => {
        return drawn[row] === line ? [] : [`\u001B[${row + 1};1H${CLEAR_LINE}${line}`]
      })
      const isMoved = caret?.row !== caretAt?.row || caret?.column !== caretAt?.column
      if (changed.length === 0 && !isMoved) return ""
      drawn = rows
      caretAt = caret
      const place = caret
        ? `\u001B[${caret.row + 1};1H${columnMove(rows[caret.row] ?? "", caret.column)}`
        : `\u001B[${size.rows};1H`
      return `${BEGIN}${HIDE}${NO_WRAP}${changed.join("")}${place}${WRAP}${caret ? SHOW : ""}${END}`
    },
    resized() {
      drawn = []
      caretAt = undefined
      return ""
    },
    reset() {
      drawn = []
      caretAt = undefined
    },
    end: () => "",
    scrolling: {
      by: (lines) => scrollTo(below - lines),
      byPage: (pages) => scrollTo(below - pages * Math.max(1, height - 2)),
      toStart: () => scrollTo(Infinity),
      toEnd: () => scrollTo(0),
      isAtEnd: () => below === 0,
    },
  }
}
