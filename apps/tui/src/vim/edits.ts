import { type Cells, firstText, lineAway, lineEnd, lineStart } from "./cells.ts"
import type { Operator, Target } from "./command.ts"
import { motionEnd } from "./motions.ts"
import { objectRange } from "./text-objects.ts"
import { wordAround, wordEnd } from "./words.ts"

/** Cells that were deleted or copied. */
export interface Register {
  readonly cells: readonly string[]
  /** Whole lines, without the break at the end. */
  readonly isLines: boolean
}

/** Cells that an operator takes. */
export interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Whole lines, without the break at the end. */
  readonly isLines: boolean
}

/** Returns what an operator takes. Undefined if its target does not exist. */
export function rangeOf(text: Cells, operator: Operator, target: Target, count: number | undefined): Range | undefined {
  const { cells, at } = text
  if (target.type === "lines") return linesOf(cells, at, lineAway(cells, at, (count ?? 1) - 1))
  if (target.type === "object") {
    const [from, to] = objectRange(text, target.name, target.isInner) ?? []
    return from === undefined || to === undefined ? undefined : { from, to, isLines: false }
  }
  const { name } = target.motion
  const isWord = name === "w" || name === "W"
  if (operator === "c" && isWord && cells[at]?.trim()) return changedWords(text, name === "W", count ?? 1)
  const end = motionEnd(text, target.motion, count)
  if (!end) return undefined
  const [from, last] = [Math.min(at, end.to), Math.max(at, end.to)]
  if (end.extent === "lines") return linesOf(cells, from, last)
  const to = end.extent === "inclusive" ? last + 1 : last
  return { from, to: isWord ? withoutBreak(cells, from, to) : to, isLines: false }
}

/** `cw` takes the word, and not the spaces behind it. */
function changedWords({ cells, at }: Cells, isBig: boolean, count: number): Range {
  let last = wordAround(cells, at, isBig)[1] - 1
  for (let left = count - 1; left > 0; left--) last = wordEnd(cells, last, isBig)
  return { from: at, to: last + 1, isLines: false }
}

/** `dw` on the last word of a line leaves the line break. */
function withoutBreak(cells: readonly string[], from: number, to: number): number {
  const isAtBreak = cells.slice(from, to).some((cell) => cell === "\n")
  if (!isAtBreak) return to
  let end = to
  while (end > from && cells[end - 1]?.trim() === "" && cells.slice(from, end).includes("\n")) end--
  return cells.slice(from, end).includes("\n") ? to : end
}

export function linesOf(cells: readonly string[], from: number, last: number): Range {
  return { from: lineStart(cells, from), to: lineEnd(cells, last), isLines: true }
}

export function taken({ cells }: Cells, { from, to, isLines }: Range): Register {
  return { cells: cells.slice(from, to), isLines }
}

/** Removes a range. Lines disappear, or if `keepsLine`, an empty one stays for what is typed. */
export function without({ cells }: Cells, { from, to, isLines }: Range, keepsLine: boolean): Cells {
  if (!isLines || keepsLine) return { cells: cells.toSpliced(from, to - from), at: from }
  const hasNext = to < cells.length
  const start = hasNext ? from : Math.max(0, from - 1)
  const rest = cells.toSpliced(start, to - start + (hasNext ? 1 : 0))
  return { cells: rest, at: firstText(rest, Math.min(from, rest.length)) }
}

/** Inserts cells before the caret, which stays before them. */
export function inserted({ cells, at }: Cells, added: readonly string[]): Cells {
  // As arguments of `toSpliced`, many cells would exceed the call stack.
  return { cells: [...cells.slice(0, at), ...added, ...cells.slice(at)], at }
}

/** Characters that a count may add to the text. */
const MAX_REPEATED = 200_000

/** Returns how often a text is repeated: as often as the count says, unless that takes too much memory. */
export function repetitions(count: number, length: number): number {
  return Math.max(1, Math.min(count, Math.floor(MAX_REPEATED / Math.max(1, length))))
}

/** Puts a register behind the caret, or before it. */
export function put({ cells, at }: Cells, register: Register, isBefore: boolean, count: number): Cells {
  const { cells: added, isLines } = register
  const times = { length: repetitions(count, added.length + 1) }
  if (isLines) {
    const lines = Array.from(times, () => added).flatMap((line) => [...line, "\n"])
    if (isBefore) {
      const start = lineStart(cells, at)
      const all = inserted({ cells, at: start }, lines)
      return { ...all, at: firstText(all.cells, start) }
    }
    const end = lineEnd(cells, at)
    const all = inserted({ cells, at: end }, ["\n", ...lines.slice(0, -1)])
    return { ...all, at: firstText(all.cells, end + 1) }
  }
  const repeated = Array.from(times, () => added).flat()
  const start = isBefore || at >= lineEnd(cells, at) ? at : at + 1
  const all = inserted({ cells, at: start }, repeated)
  return { ...all, at: added.includes("\n") ? start : Math.max(start, start + repeated.length - 1) }
}

/** Joins lines by a space, or by nothing at a blank end or an empty line. `count`: number of lines. */
export function joined({ cells, at }: Cells, count: number): Cells | undefined {
  let text: Cells | undefined
  let current = cells
  for (let left = Math.max(1, count - 1); left > 0; left--) {
    const end = lineEnd(current, at)
    if (end === current.length) break
    let next = end + 1
    while (next < lineEnd(current, end + 1) && current[next]?.trim() === "") next++
    const isBlank = end === lineStart(current, at) || current[end - 1]?.trim() === ""
    const glue = isBlank || next === lineEnd(current, end + 1) ? [] : [" "]
    current = current.toSpliced(end, next - end, ...glue)
    text = { cells: current, at: end }
  }
  return text
}

/** Changes the case of the cells of a range. */
export function withOtherCase({ cells }: Cells, { from, to }: Range): readonly string[] {
  return cells.map((cell, index) => (index < from || index >= to ? cell : otherCase(cell)))
}

function otherCase(cell: string): string {
  if (cell.startsWith("[paste #")) return cell
  return cell === cell.toUpperCase() ? cell.toLowerCase() : cell.toUpperCase()
}

/** Replaces each cell of a range by a character. Line breaks stay. */
export function withCharacter({ cells }: Cells, { from, to }: Range, character: string): readonly string[] {
  return cells.map((cell, index) => (index < from || index >= to || cell === "\n" ? cell : character))
}

/** Returns so many cells from the caret on, within its line. */
export function cellsFrom({ cells, at }: Cells, count: number): Range {
  return { from: at, to: Math.min(lineEnd(cells, at), at + count), isLines: false }
}

/** Returns where the caret stands after a range was copied: at its beginning, or where it was if the lines begin with its own. */
export function afterYank(text: Cells, { from, isLines }: Range): Cells {
  return { ...text, at: isLines && lineStart(text.cells, text.at) === from ? text.at : from }
}
