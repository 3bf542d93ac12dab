/** A piece of a line, and whether the other side has another one there. */
export interface Piece {
  readonly text: string
  readonly isChanged: boolean
}

/** Comparing takes time and memory for each pair of words. */
const MAX_PAIRS = 40_000
/** Share of a line that both sides need, so that single words are worth marking. */
const MIN_SHARED = 0.3

/** Returns the pieces of a line before and after a change. Lines that have little in common are one changed piece each. */
export function wordChanges(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] {
  const [old, next] = [wordsOf(before), wordsOf(after)]
  const shared = old.length * next.length > MAX_PAIRS ? undefined : sharedWords(old, next)
  const length = shared?.reduce((sum, [at]) => sum + (old[at]?.trim().length ?? 0), 0) ?? 0
  const isAlike = length >= MIN_SHARED * Math.max(before.trim().length, after.trim().length)
  if (!shared || !isAlike) return [[{ text: before, isChanged: true }], [{ text: after, isChanged: true }]]
  const sides = [old, next].map((words, side) => {
    const kept = new Set(shared.map((pair) => pair[side]))
    return pieces(words, (at) => !kept.has(at))
  })
  return [sides[0] ?? [], sides[1] ?? []]
}

function wordsOf(line: string): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(line), ({ segment }) => segment)
}

function pieces(words: readonly string[], isChanged: (at: number) => boolean): Piece[] {
  const found: Piece[] = []
  for (const [at, text] of words.entries()) {
    const last = found.at(-1)
    if (last?.isChanged === isChanged(at)) found[found.length - 1] = { ...last, text: last.text + text }
    else found.push({ text, isChanged: isChanged(at) })
  }
  return found
}

/** Returns the indexes of a longest common sequence. */
function sharedWords(old: readonly string[], next: readonly string[]): (readonly [number, number])[] {
  const width = next.length + 1
  const lengths = new Uint16Array((old.length + 1) * width)
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = next.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        old[row] === next[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
    }
  }
  const pairs: (readonly [number, number])[] = []
  for (let row = 0, column = 0; row < old.length && column < next.length;) {
    if (old[row] === next[column]) pairs.push([row++, column++])
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++
    else column++
  }
  return pairs
}
