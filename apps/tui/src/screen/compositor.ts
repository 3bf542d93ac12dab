/* oxlint-disable no-control-regex -- Sequences of terminals begin with a control character. */
import { sliceByColumn, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js"

/** Position of the hardware cursor in the live region: an index of a line, and a column from 0. */
export interface Caret {
  readonly row: number
  readonly column: number
}

/** The live region, from top to bottom. Lines hold no line breaks. */
export interface LiveRegion {
  readonly lines: readonly string[]
  /** Missing: the hardware cursor is hidden. */
  readonly caret?: Caret | undefined
}

export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

/**
 * Turns states of the screen into bytes. Each method returns what to write, which may be nothing.
 *
 *   scrollback   finished lines: the terminal owns them, and no sequence reaches them again
 *   ──────────
 *   live region  at most rows - 1 lines, so that its top is always on the screen
 */
export interface Compositor {
  /**
   * Prints finished lines above the live region, and redraws the live region from its first changed line. `isAll`: the
   * finished lines replace all earlier ones, if the compositor keeps them.
   */
  frame(commits: readonly string[], live: LiveRegion, size: ScreenSize, isAll?: boolean): string
  /** Redraws the live region after the terminal has another size. Takes the terminal's own reflow into account. */
  resized(size: ScreenSize): string
  /** Forgets what is drawn, because other programs have written to the terminal. The next frame starts in a new line. */
  reset(): void
  /** Removes the live region and leaves the cursor at its top. */
  end(): string
}

export const BEGIN = "\u001B[?2026h"
export const END = "\u001B[?2026l"
export const HIDE = "\u001B[?25l"
export const SHOW = "\u001B[?25h"
// A live line that is wider than the terminal believes must not wrap: the rows below would be wrong.
export const NO_WRAP = "\u001B[?7l"
export const WRAP = "\u001B[?7h"
export const CLEAR_LINE = "\u001B[2K"
const CLEAR_BELOW = "\u001B[0J"

interface Drawn {
  readonly lines: readonly string[]
  readonly caret: Caret | undefined
  /** Row of the live region in which the hardware cursor stands. */
  readonly row: number
  readonly columns: number
}

const NOTHING: Drawn = { lines: [], caret: undefined, row: 0, columns: 0 }

export function createCompositor(): Compositor {
  let drawn = NOTHING

  function paint(commits: readonly string[], { lines, caret }: LiveRegion, from: number, columns: number): string {
    let out = BEGIN + HIDE + up(drawn.row - from)
    // The row below the last drawn line does not exist yet.
    if (from > drawn.row) out += from < drawn.lines.length ? down(from - drawn.row) : belowLast(drawn)
    out += "\r"
    for (const line of commits) out += `${CLEAR_LINE}${line}\r\n`
    out += NO_WRAP
    for (let row = from; row < lines.length; row++) {
      out += `${row > from ? "\r\n" : ""}${CLEAR_LINE}${lines[row]}`
    }
    let row = Math.max(lines.length - 1, 0)
    const written = commits.length + lines.length - from
    if (written < drawn.lines.length - from || lines.length === from) {
      if (lines.length > from) {
        out += `\r\n${CLEAR_BELOW}`
        row = lines.length
      } else {
        out += CLEAR_BELOW
        row = from
      }
    }
    const shown = caret ?? { row: Math.max(lines.length - 1, 0), column: 0 }
    out += up(row - shown.row) + "\r" + columnMove(lines[shown.row] ?? "", shown.column) + WRAP
    if (caret) out += SHOW
    drawn = { lines, caret, row: shown.row, columns }
    return out + END
  }

  return {
    frame(commits, region, size) {
      const live = fitted(region, size)
      if (size.columns !== drawn.columns && drawn.lines.length > 0) {
        drawn = reflowed(drawn, size)
        return paint(commits, live, 0, size.columns)
      }
      const from = commits.length > 0 ? 0 : firstChange(drawn.lines, live.lines)
      const isSame = from === live.lines.length && from === drawn.lines.length
      if (!isSame) return paint(commits, live, from, size.columns)
      if (commits.length === 0 && isSameCaret(live.caret, drawn.caret)) return ""
      return paint(commits, live, commits.length > 0 ? 0 : live.lines.length - 1, size.columns)
    },
    resized(size) {
      if (drawn.lines.length === 0) return ""
      const region = fitted(drawn, size)
      drawn = reflowed(drawn, size)
      return paint([], region, 0, size.columns)
    },
    reset() {
      drawn = NOTHING
    },
    end() {
      if (drawn.lines.length === 0) return SHOW
      const out = `${BEGIN}${up(drawn.row)}\r${CLEAR_BELOW}${SHOW}${END}`
      drawn = NOTHING
      return out
    },
  }
}

/** Keeps the last rows - 1 lines, each at most as wide as the terminal. */
export function fitted({ lines, caret }: LiveRegion, { columns, rows }: ScreenSize): LiveRegion {
  const left = Math.max(0, lines.length - Math.max(rows - 1, 1))
  const shown = lines.slice(left).map((line) => {
    return visibleWidth(line) > columns ? `${sliceByColumn(line, 0, columns)}\u001B[0m` : line
  })
  if (!caret || caret.row < left) return { lines: shown }
  return { lines: shown, caret: { row: caret.row - left, column: Math.min(caret.column, columns - 1) } }
}

/**
 * Returns what is drawn, with the row of the cursor after the terminal has broken the lines above it. The cursor's own line
 * counts as one row: a row too few leaves a copy on the screen, a row too many would erase a finished line.
 */
function reflowed(drawn: Drawn, { columns }: ScreenSize): Drawn {
  const above = drawn.lines.slice(0, drawn.row)
  const row = above.reduce((rows, line) => rows + Math.max(1, Math.ceil(visibleWidth(line) / columns)), 0)
  // One line more than can be there, so that all rows from the top of the region on are erased.
  return { ...drawn, row, lines: Array.from({ length: row + drawn.lines.length + 1 }, () => "") }
}

function firstChange(before: readonly string[], after: readonly string[]): number {
  const shared = Math.min(before.length, after.length)
  for (let row = 0; row < shared; row++) if (before[row] !== after[row]) return row
  return shared
}

function isSameCaret(a: Caret | undefined, b: Caret | undefined): boolean {
  return a?.row === b?.row && a?.column === b?.column
}

function belowLast({ lines, row }: Drawn): string {
  return `${down(lines.length - 1 - row)}\r\n`
}

function up(rows: number): string {
  return rows > 0 ? `\u001B[${rows}A` : ""
}

function down(rows: number): string {
  return rows > 0 ? `\u001B[${rows}B` : ""
}

/**
 * Moves from the beginning of a line to a column. Terminals disagree about the width of some characters, so the text before
 * the caret is written again if it has any but plain ones: the cursor then is where the terminal believes the caret is.
 */
export function columnMove(line: string, column: number): string {
  if (column === 0) return ""
  const before = sliceByColumn(line, 0, column)
  return /^[\u0020-\u007E\u001B]*$/.test(before) ? `\u001B[${column + 1}G` : before
}
