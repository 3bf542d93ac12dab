const SCRIPTS = [/\p{Script=Han}/u, /\p{Script=Hiragana}/u, /\p{Script=Katakana}/u, /\p{Script=Hangul}/u]

/** Returns what a cell belongs to: cells of one kind in a row are a word. `isBig`: everything between spaces is one word. */
function kindOf(cell: string | undefined, isBig: boolean): string {
  if (cell === undefined || cell.trim() === "") return "space"
  if (isBig) return "word"
  const script = SCRIPTS.findIndex((pattern) => pattern.test(cell))
  if (script >= 0) return `script ${script}`
  if (cell.startsWith("[paste #")) return "paste"
  return /^[\p{L}\p{N}_]/u.test(cell) ? "word" : "sign"
}

/** An empty line is a word of its own. */
function isEmptyLine(cells: readonly string[], at: number): boolean {
  return cells[at] === "\n" && (at === 0 || cells[at - 1] === "\n")
}

/** Returns the beginning of the next word, or the end of the text. */
export function nextWord(cells: readonly string[], from: number, isBig: boolean): number {
  const kind = kindOf(cells[from], isBig)
  let at = from
  if (kind === "space") at++
  else while (at < cells.length && kindOf(cells[at], isBig) === kind) at++
  while (at < cells.length && kindOf(cells[at], isBig) === "space" && !isEmptyLine(cells, at)) at++
  return Math.min(at, cells.length)
}

/** Returns the beginning of this word, or of the one before. */
export function wordBefore(cells: readonly string[], from: number, isBig: boolean): number {
  let at = Math.max(0, from - 1)
  while (at > 0 && kindOf(cells[at], isBig) === "space" && !isEmptyLine(cells, at)) at--
  const kind = kindOf(cells[at], isBig)
  if (kind === "space") return at
  while (at > 0 && kindOf(cells[at - 1], isBig) === kind) at--
  return at
}

/** Returns the last cell of this word, or of the next one. */
export function wordEnd(cells: readonly string[], from: number, isBig: boolean): number {
  let at = from + 1
  while (at < cells.length && kindOf(cells[at], isBig) === "space") at++
  if (at >= cells.length) return Math.max(from, cells.length - 1)
  const kind = kindOf(cells[at], isBig)
  while (at + 1 < cells.length && kindOf(cells[at + 1], isBig) === kind) at++
  return at
}

/** Returns the cells of one kind around a cell, in its line. The end is exclusive. */
export function wordAround(cells: readonly string[], at: number, isBig: boolean): readonly [number, number] {
  const kind = kindOf(cells[at], isBig)
  const isSame = (index: number) =>
    index >= 0 && index < cells.length && cells[index] !== "\n" && kindOf(cells[index], isBig) === kind
  if (!isSame(at)) return [at, at]
  let [from, to] = [at, at + 1]
  while (isSame(from - 1)) from--
  while (isSame(to)) to++
  return [from, to]
}
