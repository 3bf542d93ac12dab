import type { Connection } from "../connection.ts"
import { sessionWord, tableOf, wordsOf } from "./volumes.ts"

/** A query for one volume. */
export interface Match {
  readonly expression: string
  /** False: hits may lack some of the words. */
  readonly isWhole: boolean
}

/** So many words are asked for, the others looked for in what is found. */
const MOST_ASKED = 32

/** Up to so many words that begin with one asked for are asked for one by one: FTS5 then reads only what it gives. */
const MOST_WORDS = 32

/** Up to so many parts are looked through here, rather than have FTS5 collect all that a short word begins. */
const FEW_PARTS = 64

/** How a volume is asked for parts of these sessions that have each word; undefined when it has none. */
export function matchIn(
  connection: Connection,
  number: number,
  words: readonly string[],
  sessions: readonly number[] | undefined,
): Match | undefined {
  const scope = sessions ? [anyOf(sessions.map(sessionWord))] : []
  const narrow: string[] = []
  const broad: string[] = []
  // A word that was cut within a character is stored with a replacement.
  for (const word of words.slice(0, MOST_ASKED).map((word) => word.toWellFormed())) {
    const found = wordsWith(connection, number, word)
    if (found.length === 0) return undefined
    if (found.length <= MOST_WORDS) narrow.push(anyOf(found))
    else broad.push(`"${word}" *`)
  }
  const cheap = [...scope, ...narrow]
  const whole = { expression: [...cheap, ...broad].join(" AND "), isWhole: words.length <= MOST_ASKED }
  if (broad.length === 0 || cheap.length === 0) return whole
  const expression = cheap.join(" AND ")
  return isFew(connection, number, expression) ? { expression, isWhole: false } : whole
}

/** The words of the volume that begin with this one; one more than `MOST_WORDS` when there are more. */
function wordsWith(connection: Connection, number: number, word: string): string[] {
  const next = connection.statement(`SELECT term FROM ${wordsOf(number)} WHERE term >= ? LIMIT 1`)
  const words: string[] = []
  for (let from = word; words.length <= MOST_WORDS;) {
    const term = next.get(from)?.["term"] as string | undefined
    if (!term?.startsWith(word)) break
    words.push(term)
    // The first that any longer word could be: from the same word, all its places would be gone through.
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
    .all(expression, FEW_PARTS + 1)
  return rows.length <= FEW_PARTS
}
