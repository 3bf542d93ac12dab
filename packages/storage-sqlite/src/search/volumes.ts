import type { Connection } from "../connection.ts"
import { readProgress, writeProgress } from "../progress.ts"

/**
 * The search index is a row of volumes, each an FTS5 table of its own for the next range of keys. A word that begins
 * many others costs what one volume holds of it, not what the file does; and no merge within FTS5 grows without end.
 */
export interface Volume {
  readonly number: number
  /** How many words it holds, each counted once for each part. */
  readonly words: number
}

const MOST_WORDS = 1_500_000

/** Newest first. */
export function volumesOf(connection: Connection): Volume[] {
  return connection
    .statement("SELECT number, words FROM search_volume ORDER BY number DESC")
    .all() as unknown as Volume[]
}

/** The volume to add to: the newest, or another once it is full. */
export function openVolume(connection: Connection): Volume {
  const newest = volumesOf(connection)[0]
  if (newest && newest.words < MOST_WORDS) return newest
  const number = readProgress(connection, "search-volume") + 1
  writeProgress(connection, "search-volume", number)
  // Without content, positions and folding: which parts hold a word is all that is asked. The tokenizer parts at spaces
  // and punctuation of ASCII, of which our words have none, so it keeps them as they are.
  connection.exec(
    `CREATE VIRTUAL TABLE ${tableOf(number)} USING fts5(words, content = '', contentless_delete = 1, detail = none, ` +
      "tokenize = 'ascii tokenchars _')",
  )
  // A node of the index fills one page of the file.
  connection.exec(`INSERT INTO ${tableOf(number)} (${tableOf(number)}, rank) VALUES ('pgsz', 960)`)
  connection.exec(`CREATE VIRTUAL TABLE ${wordsOf(number)} USING fts5vocab(${tableOf(number)}, instance)`)
  connection.statement("INSERT INTO search_volume (number, words) VALUES (?, 0)").run(number)
  return { number, words: 0 }
}

export function removeVolume(connection: Connection, number: number): void {
  connection.statement("DELETE FROM search_volume WHERE number = ?").run(number)
  connection.statement("DELETE FROM search_session WHERE volume = ?").run(number)
  connection.exec(`DROP TABLE ${wordsOf(number)}; DROP TABLE ${tableOf(number)}`)
}

/** Empties the index at once for all readers. `dropDetached` removes the tables later. */
export function detachVolumes(connection: Connection): void {
  connection.exec("DELETE FROM search_volume; DELETE FROM search_session")
  writeProgress(connection, "search", 0)
}

/** Drops one table that belongs to no index any more. Whether there was one. */
export function dropDetached(connection: Connection): boolean {
  const row = connection
    .statement(
      "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE search%' " +
        "AND name NOT IN (SELECT 'search_' || number FROM search_volume) " +
        "AND name NOT IN (SELECT 'search_' || number || '_words' FROM search_volume) ORDER BY length(name) DESC LIMIT 1",
    )
    .get()
  if (row) connection.exec(`DROP TABLE ${String(row["name"])}`)
  return row !== undefined
}

export function tableOf(number: number): string {
  return `search_${number}`
}

/** Lists the words of the volume, and of what. */
export function wordsOf(number: number): string {
  return `search_${number}_words`
}

/** A word that no text has, since words have no `_`: finds what belongs to a session. */
export function sessionWord(key: number): string {
  return `_${key}`
}
