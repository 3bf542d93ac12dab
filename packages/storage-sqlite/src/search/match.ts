import type { Connection } from "../connection.ts"
import { sessionWord, tableOf, wordsOf } from "./volumes.ts"

/** A query for one volume. */
export interface Match {
  readonly expression: string
  /** False if hits may lack some of the words. */
  readonly isWhole: boolean
}

/** Maximum words in an index query. The remaining words are searched in its hits. */
const MAX_QUERY_WORDS = 32

/** Maximum indexed words that replace a prefix in the query. FTS5 then reads only their entries, not those of the whole prefix. */
const MAX_EXPANDED_WORDS = 32

/** Maximum hits that are filtered here. For more, FTS5 collects all entries of a short prefix. */
const MAX_SCANNED_PARTS = 64

/** Returns the query that finds the parts of these sessions with every word; undefined if the volume has no such part. */
export function matchIn(
  connection: Connection,
  number: number,
  words: readonly string[],
  sessions: readonly number[] | undefined,
): Match | undefined {
  const scope = sessions ? [anyOf(sessions.map(sessionWord))] : []
  const narrow: string[] = []
  const broad: string[] = []
  // A word that is cut within a character is stored with a replacement character.
  for (const word of words.slice(0, MAX_QUERY_WORDS).map((word) => word.toWellFormed())) {
    const found = wordsWith(connection, number, word)
    if (found.length === 0) return undefined
    if (found.length <= MAX_EXPANDED_WORDS) narrow.push(anyOf(found))
    else broad.push(`"${word}" *`)
  }
  const cheap = [...scope, ...narrow]
  const whole = { expression: [...cheap, ...broad].join(" AND "), isWhole: words.length <= MAX_QUERY_WORDS }
  if (broad.length === 0 || cheap.length === 0) return whole
  const expression = cheap.join(" AND ")
  return isFew(connection, number, expression) ? { expression, isWhole: false } : whole
}

/** Returns the words of the volume with this prefix, at most one more than `MAX_EXPANDED_WORDS`. */
function wordsWith(connection: Connection, number: number, word: string): string[] {
  const next = connection.statement(`SELECT term FROM ${wordsOf(number)} WHERE term >= ? LIMIT 1`)
  const words: string[] = []
  for (let from = word; words.length <= MAX_EXPANDED_WORDS;) {
    const term = next.get(from)?.["term"] as string | undefined
    if (!term?.startsWith(word)) break
    words.push(term)
    // The smallest longer word. A search from the same word would read all of its entries.
    from = `${term}\u0001`
  }
  return words
}

function anyOf(words: readonly string[]): string {
  return `(${words.map((word) => `"${word}"`).join(" OR ")})`
}

function isFew(connection: Connection, number: number, expression: string): boolean {
  const table = tableOf(number)
  const rows = connection
    .statement(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT ?`)
    .all(expression, MAX_SCANNED_PARTS + 1)
  return rows.length <= MAX_SCANNED_PARTS
}
