import { type Cells, lineEnd, lineStart } from "./cells.ts"
import { wordAround } from "./words.ts"

const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  ...{ "(": ["(", ")"], ")": ["(", ")"], b: ["(", ")"] },
  ...{ "[": ["[", "]"], "]": ["[", "]"] },
  ...{ "{": ["{", "}"], "}": ["{", "}"], B: ["{", "}"] },
  ...{ "<": ["<", ">"], ">": ["<", ">"] },
}

export function isTextObject(name: string): boolean {
  return /^[wW"'`]$/.test(name) || Object.hasOwn(PAIRS, name)
}

/**
 * Returns the cells of a text object, such as `iw` or `a"`. The end is exclusive. Undefined if the caret is in none.
 * `isInner`: without the quotes, the brackets, or the spaces around a word.
 */
export function objectRange(
  { cells, at }: Cells,
  name: string,
  isInner: boolean,
): readonly [number, number] | undefined {
  if (name === "w" || name === "W") {
    const [from, to] = wordAround(cells, at, name === "W")
    return isInner ? [from, to] : withSpaces(cells, from, to)
  }
  const pair = PAIRS[name]
  const [open, close] = (pair ? bracketed(cells, at, pair) : quoted(cells, at, name)) ?? []
  if (open === undefined || close === undefined) return undefined
  return isInner ? [open + 1, close] : [open, close + 1]
}

/** Takes the spaces behind a word, or else those before it. */
function withSpaces(cells: readonly string[], from: number, to: number): readonly [number, number] {
  const isSpace = (at: number) => cells[at] !== "\n" && cells[at]?.trim() === ""
  let [start, end] = [from, to]
  while (isSpace(end)) end++
  if (end === to) while (isSpace(start - 1)) start--
  return [start, end]
}

function quoted(cells: readonly string[], at: number, quote: string): readonly [number, number] | undefined {
  const [start, end] = [lineStart(cells, at), lineEnd(cells, at)]
  const quotes = cells.flatMap((cell, index) => (index >= start && index < end && cell === quote ? [index] : []))
  for (let index = 0; index + 1 < quotes.length; index += 2) {
    const [open = 0, close = 0] = quotes.slice(index, index + 2)
    if (at <= close) return [open, close]
  }
  return undefined
}

function bracketed(
  cells: readonly string[],
  at: number,
  [open, close]: readonly [string, string],
): readonly [number, number] | undefined {
  const from = nearest(cells, cells[at] === close ? at - 1 : at, -1, open, close)
  if (from === undefined) return undefined
  const to = nearest(cells, from + 1, 1, close, open)
  return to === undefined ? undefined : [from, to]
}

/** Finds a bracket whose partner lies on the other side of the beginning. */
function nearest(
  cells: readonly string[],
  from: number,
  step: 1 | -1,
  wanted: string,
  partner: string,
): number | undefined {
  let depth = 0
  for (let at = from; at >= 0 && at < cells.length; at += step) {
    if (cells[at] === wanted && depth-- === 0) return at
    if (cells[at] === partner) depth++
  }
  return undefined
}
