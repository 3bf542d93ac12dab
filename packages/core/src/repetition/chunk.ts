/** The repeated chunk at the end of a text. */
export interface Chunk {
  readonly text: string
  /** True within a block of code. */
  readonly isFenced: boolean
}

/** Minimum characters of a chunk. */
const MIN_CHUNK_LENGTH = 20
export const MIN_REPETITIONS = 10

/** Repetitions that flag structured text. Rows of a table, a matrix or code may be equal many times. */
const REPETITIONS_OF_STRUCTURE = 40

/** Characters of a repeated phrase such as `no no no no` that are not intended. */
const MAX_PHRASE_LENGTH = 400

/**
 * Returns the repetitions of a chunk at the end that count as a loop; Infinity for meaningless chunks, such as rulers
 * and base64.
 */
export function enoughRepetitions({ text, isFenced }: Chunk): number {
  if (text.length < MIN_CHUNK_LENGTH)
    return isPhrase(text) && !isFenced ? Math.ceil(MAX_PHRASE_LENGTH / text.length) : Infinity
  if (isProse(text) && !isFenced) return MIN_REPETITIONS
  return /\p{L}/u.test(text) && !isEncoded(text) ? REPETITIONS_OF_STRUCTURE : Infinity
}

/** Returns whether a text has only words and ends of sentences, and no values. It may begin anywhere in the phrase. */
function isPhrase(text: string): boolean {
  return /^[\p{L}\s.!?'\u2019]+$/u.test(text) && /\p{L}/u.test(text) && /\s/.test(text)
}

/** Returns whether a text is mostly words. */
function isProse(text: string): boolean {
  const writtenWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
  const unspaced = text.match(writtenWithoutSpaces)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const isWordy = unspaced > 0 || /\p{L}\s+\p{L}|\p{L}[.!?,:;]*\s/u.test(text)
  const isTabular = (text.match(/\|/g)?.length ?? 0) > 1
  const spaces = text.match(/\s/g)?.length ?? 0
  return isWordy && !isTabular && letters + Math.min(spaces, letters / 2) >= 0.75 * text.length
}

/** Returns whether a text has only long runs without a space, such as base64 in one or more lines. */
function isEncoded(text: string): boolean {
  const words = text.repeat(3).split(/\s+/).slice(1, -1)
  return words.every((word) => word.length >= 40)
}
