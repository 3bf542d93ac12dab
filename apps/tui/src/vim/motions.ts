import { cellAtColumn, type Cells, columnOf, firstText, lineAway, lineEnd, lineStart } from "./cells.ts"
import { nextWord, wordBefore, wordEnd } from "./words.ts"

/** A search in the line: f, F, t or T, and the character. */
export interface CharacterSearch {
  readonly name: string
  readonly character: string
}

/** A motion as it was typed. `;` and `,` are replaced by the search that they repeat. */
export interface Motion {
  readonly name: string
  readonly character?: string
  /** Set if a search is repeated: `t` then does not find the character at which it already stands. */
  readonly isRepeated?: boolean
}

/** The cells that an operator takes: those before the end, those with the end, or whole lines. */
export type Extent = "exclusive" | "inclusive" | "lines"

interface MotionRow {
  readonly extent: Extent
  /** Returns where the caret goes. Undefined if there is no such place. `count` is missing if none was typed. */
  readonly to: (text: Cells, count: number | undefined, column: number) => number | undefined
}

function times(count: number | undefined, at: number, step: (at: number) => number): number {
  let to = at
  for (let left = count ?? 1; left > 0; left--) {
    const next = step(to)
    if (next === to) break
    to = next
  }
  return to
}

function vertical(sign: 1 | -1): MotionRow {
  return {
    extent: "lines",
    to({ cells, at }, count = 1, column) {
      const line = lineAway(cells, at, sign * count)
      return line === lineStart(cells, at) ? undefined : cellAtColumn(cells, line, column)
    },
  }
}

function word(step: typeof nextWord, isBig: boolean, extent: Extent): MotionRow {
  return { extent, to: ({ cells, at }, count) => times(count, at, (from) => step(cells, from, isBig)) }
}

function toLine({ cells }: Cells, count: number | undefined, usual: number): number {
  return firstText(cells, count === undefined ? usual : lineAway(cells, 0, count - 1))
}

const rows: Readonly<Record<string, MotionRow>> = {
  h: { extent: "exclusive", to: ({ cells, at }, count = 1) => Math.max(lineStart(cells, at), at - count) },
  l: { extent: "exclusive", to: ({ cells, at }, count = 1) => Math.min(lineEnd(cells, at), at + count) },
  j: vertical(1),
  k: vertical(-1),
  "0": { extent: "exclusive", to: ({ cells, at }) => lineStart(cells, at) },
  "^": { extent: "exclusive", to: ({ cells, at }) => firstText(cells, at) },
  $: { extent: "exclusive", to: ({ cells, at }, count = 1) => lineEnd(cells, lineAway(cells, at, count - 1)) },
  w: word(nextWord, false, "exclusive"),
  W: word(nextWord, true, "exclusive"),
  b: word(wordBefore, false, "exclusive"),
  B: word(wordBefore, true, "exclusive"),
  e: word(wordEnd, false, "inclusive"),
  E: word(wordEnd, true, "inclusive"),
  gg: { extent: "lines", to: (text, count) => toLine(text, count, 0) },
  G: { extent: "lines", to: (text, count) => toLine(text, count, text.cells.length) },
}

export function isMotion(name: string): boolean {
  return Object.hasOwn(rows, name)
}

/** Motions that keep the column to which `j` and `k` return. */
export function keepsColumn({ name }: Motion): boolean {
  return name === "j" || name === "k"
}

/** Returns where a motion leads, and what an operator takes. `column`: where `j` and `k` want to be; default: the caret's. */
export function motionEnd(
  text: Cells,
  motion: Motion,
  count: number | undefined,
  column: number = columnOf(text.cells, text.at),
): { readonly to: number; readonly extent: Extent } | undefined {
  const { name, character } = motion
  const row = rows[name]
  const to = row ? row.to(text, count, column) : searched(text, motion, count ?? 1)
  if (to === undefined || (!row && character === undefined)) return undefined
  return { to, extent: row?.extent ?? (/[ft]/.test(name) ? "inclusive" : "exclusive") }
}

function searched(
  { cells, at }: Cells,
  { name, character, isRepeated = false }: Motion,
  count: number,
): number | undefined {
  const step = name === "f" || name === "t" ? 1 : -1
  const isBefore = name === "t" || name === "T"
  const [start, end] = [lineStart(cells, at), lineEnd(cells, at)]
  let left = count
  for (let to = at + (isBefore && isRepeated ? 2 * step : step); to >= start && to < end; to += step) {
    if (cells[to] === character && --left === 0) return isBefore ? to - step : to
  }
  return undefined
}

const OPPOSITE: Readonly<Record<string, string>> = { f: "F", F: "f", t: "T", T: "t" }

/** Replaces `;` and `,` by the search that they repeat. Undefined if there was none. */
export function withSearch(motion: Motion, last: CharacterSearch | undefined): Motion | undefined {
  if (motion.name !== ";" && motion.name !== ",") return motion
  if (!last) return undefined
  return { ...last, name: motion.name === ";" ? last.name : (OPPOSITE[last.name] ?? ""), isRepeated: true }
}
