import { placedWords, searchWords } from "./search-text.ts"

/** Share of the remaining length before the words, because a value usually follows its name. */
const LEADING_SHARE = 1 / 4

/**
 * Returns at most `length` characters of the text on one line, with `…` at an end that is cut. Chooses the shortest
 * passage with the most different words of the query, the first of several. Starts at the beginning if the text has no
 * word of the query. Returns well-formed Unicode, in time proportional to the text.
 */
export function excerpt(text: string, query: string, length = 120): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, " ").trim()
  const characters = Array.from(line)
  if (characters.length <= length) return line
  const passage = bestPassage(line, query, length)
  const room = length - (passage.end - passage.start)
  const start = clamp(passage.start - Math.floor(room * LEADING_SHARE), 0, characters.length - length)
  const end = start + length
  return `${start > 0 ? "…" : ""}${characters.slice(start, end).join("")}${end < characters.length ? "…" : ""}`
}

/** A part of a line, in characters. */
interface Passage {
  readonly start: number
  readonly end: number
}

/** Returns the shortest window with the most different words of the query, from its first to its last word. */
function bestPassage(line: string, query: string, length: number): Passage {
  let best: Passage = { start: 0, end: 0 }
  let mostWords = 0
  const counts = new Map<string, number>()
  const matches: Match[] = []
  let first = 0
  for (const match of matchesIn(line, query)) {
    matches.push(match)
    for (const word of match.words) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (let oldest = matches[first]; oldest && oldest !== match; oldest = matches[++first]) {
      const isRepeated = oldest.words.every((word) => (counts.get(word) ?? 0) > 1)
      if (match.end - oldest.start <= length && !isRepeated) break
      for (const word of oldest.words) decrease(counts, word)
    }
    const { start } = matches[first] ?? match
    const passage = { start, end: Math.min(match.end, start + length) }
    const isShorter = passage.end - passage.start < best.end - best.start
    if (counts.size < mostWords || (counts.size === mostWords && !isShorter)) continue
    mostWords = counts.size
    best = passage
  }
  return best
}

interface Match extends Passage {
  /** Words of the query that this word begins with. */
  readonly words: readonly string[]
}

function* matchesIn(line: string, query: string): Generator<Match> {
  const wanted = new Set(searchWords(query))
  const lengths = [...new Set([...wanted].map((word) => word.length))]
  // Words have UTF-16 positions: characters are counted from one word to the next.
  let [unit, character] = [0, 0]
  const charactersUntil = (next: number) => {
    for (; unit < next; unit++) if (!isSecondHalf(line.charCodeAt(unit))) character++
    return character
  }
  for (const { word, start, end } of placedWords(line)) {
    const words = lengths.flatMap((size) => {
      const beginning = word.slice(0, size)
      return beginning.length === size && wanted.has(beginning) ? [beginning] : []
    })
    if (words.length > 0) yield { start: charactersUntil(start), end: charactersUntil(end), words }
  }
}

/** Returns whether a unit is the second half of a surrogate pair in well-formed text. */
function isSecondHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

function decrease(counts: Map<string, number>, word: string): void {
  const count = (counts.get(word) ?? 0) - 1
  if (count > 0) counts.set(word, count)
  else counts.delete(word)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
