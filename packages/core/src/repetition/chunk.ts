/** What stands repeated at the end of a text. */
export interface Chunk {
  readonly text: string
  /** Within a block of code. */
  readonly isFenced: boolean
}

/** Characters of a chunk that counts as such. */
const SHORTEST = 20
export const FEWEST_REPETITIONS = 10

/** Rows of a table, a matrix or code can be the same many times over. */
const REPETITIONS_OF_STRUCTURE = 40

/** Characters of `no no no no` that nobody means to write. */
const LONGEST_CHANT = 400

/** How often a chunk may not stand at the end; Infinity for what means nothing, such as rulers and base64. */
export function enoughRepetitions({ text, isFenced }: Chunk): number {
  if (text.length < SHORTEST) return isChant(text) && !isFenced ? Math.ceil(LONGEST_CHANT / text.length) : Infinity
  if (isProse(text) && !isFenced) return FEWEST_REPETITIONS
  return /\p{L}/u.test(text) && !isEncoded(text) ? REPETITIONS_OF_STRUCTURE : Infinity
}

/** Words and the ends of sentences: no list of values. Where in the chunk they begin is chance. */
function isChant(text: string): boolean {
  return /^[\p{L}\s.!?'\u2019]+$/u.test(text) && /\p{L}/u.test(text) && /\s/.test(text)
}

/** Words, and little else. */
function isProse(text: string): boolean {
  const writtenWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
  const unspaced = text.match(writtenWithoutSpaces)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const isWordy = unspaced > 0 || /\p{L}\s+\p{L}|\p{L}[.!?,:;]*\s/u.test(text)
  const isTabular = (text.match(/\|/g)?.length ?? 0) > 1
  const spaces = text.match(/\s/g)?.length ?? 0
  return isWordy && !isTabular && letters + Math.min(spaces, letters / 2) >= 0.75 * text.length
}

/** Nothing but long runs without a space, such as base64 in lines or in one. */
function isEncoded(text: string): boolean {
  const words = text.repeat(3).split(/\s+/).slice(1, -1)
  return words.every((word) => word.length >= 40)
}
