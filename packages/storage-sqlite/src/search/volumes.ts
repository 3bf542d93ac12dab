import type { Connection } from "../connection.ts"
import { readProgress, writeProgress } from "../progress.ts"

/**
 * The search index is a sequence of volumes. Each is an FTS5 table for one range of keys. This limits the cost of a
 * short prefix, and of a merge within FTS5, to the entries of one volume.
 */
export interface Volume {
  readonly number: number
  /** Number of its words, each counted once per part. */
  readonly words: number
}

const MAX_VOLUME_WORDS = 1_500_000

/** Returns the volumes, newest first. */
export function volumesOf(connection: Connection): Volume[] {
  return connection
    .statement("SELECT number, words FROM search_volume ORDER BY number DESC")
    .all() as unknown as Volume[]
}

/** Returns the volume to write to: the newest one, or a new one if that is full. */
export function openVolume(connection: Connection): Volume {
  const newest = volumesOf(connection)[0]
  if (newest && newest.words < MAX_VOLUME_WORDS) return newest
  const number = readProgress(connection, "search-volume") + 1
  writeProgress(connection, "search-volume", number)
  // Without content, positions and folding, because queries ask only for the parts with a word. The tokenizer splits at
  // ASCII spaces and punctuation, which our words do not contain, so it keeps each word unchanged.
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

/** Drops one table that no volume uses. Returns false if there is no such table. */
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

/** Returns the name of the table that lists the words of the volume with their rows. */
export function wordsOf(number: number): string {
  return `search_${number}_words`
}

/** Returns the index word for the parts of a session. No text contains it, because other words have no `_`. */
export function sessionWord(key: number): string {
  return `_${key}`
}
