import { type LongWork, type Part, searchText, searchWords } from "@pawl/core/storage"
import type { Connection } from "../connection.ts"
import { readProgress, writeProgress } from "../progress.ts"
import { parseRecord, type RecordRow } from "../record.ts"
import { turn, yieldTurn } from "../turn.ts"
import { openVolume, sessionWord, tableOf, volumesOf } from "./volumes.ts"

interface Entry {
  readonly key: number
  readonly session: number
  readonly words: readonly string[]
}

interface Batch {
  readonly entries: Entry[]
  /** The last processed key, and the last key of the file. */
  readonly upTo: number
  readonly last: number
  readonly isAll: boolean
}

/** A transaction indexes this number in 50 ms. */
const WORDS_AT_ONCE = 8_000

/**
 * Indexes the commits since the last call. Extracts words outside the write lock. Each batch is a transaction of its
 * own, and the event loop runs between batches.
 */
export async function catchUpSearch(
  connection: Connection,
  { signal, onProgress }: { readonly [Key in keyof LongWork]: LongWork[Key] | undefined } = {},
): Promise<void> {
  await forgetRemovedSessions(connection, signal)
  for (;;) {
    const { from, batch } = await connection.read(() => {
      const from = readProgress(connection, "search")
      return { from, batch: nextBatch(connection, from) }
    })
    const isFirst = batch.upTo === from || (await connection.write(() => storeFrom(connection, from, batch)))
    if (isFirst && batch.isAll) return
    onProgress?.(batch.upTo, batch.last)
    await yieldTurn(signal)
  }
}

/** Returns the words of a part for the index, or none. */
export function wordsOf(connection: Connection, row: RecordRow): string[] {
  const { value } = parseRecord(connection, row)
  const text = value === undefined ? undefined : searchText(value as Part)
  return text === undefined ? [] : searchWords(text)
}

function nextBatch(connection: Connection, from: number): Batch {
  const hasTime = turn()
  const entries: Entry[] = []
  let [upTo, count] = [from, 0]
  const { last } = connection.statement("SELECT coalesce(max(key), 0) AS last FROM record").get() as { last: number }
  const rows = connection
    .statement("SELECT key, session, message_id, part_id, revision, data FROM record WHERE key > ? ORDER BY key")
    .iterate(from) as Iterable<unknown> as Iterable<RecordRow & { session: number }>
  for (const row of rows) {
    upTo = row.key
    const words = row.part_id === "" || row.data === null ? [] : wordsOf(connection, row)
    if (words.length > 0) entries.push({ key: row.key, session: row.session, words })
    count += words.length
    if (count >= WORDS_AT_ONCE || !hasTime()) return { entries, upTo, last, isAll: false }
  }
  return { entries, upTo, last, isAll: true }
}

/** Returns false if another process was faster, maybe with a smaller batch. */
function storeFrom(connection: Connection, from: number, batch: Batch): boolean {
  if (readProgress(connection, "search") !== from) return false
  store(connection, batch)
  return true
}

function store(connection: Connection, { entries, upTo }: Batch): void {
  if (entries.length > 0) {
    const { number } = openVolume(connection)
    const insert = connection.statement(`INSERT INTO ${tableOf(number)} (rowid, words) VALUES (?, ?)`)
    // Skip sessions that were removed since their parts were read.
    const scope = connection.statement("INSERT OR IGNORE INTO search_session SELECT key, ? FROM session WHERE key = ?")
    for (const session of new Set(entries.map((entry) => entry.session))) scope.run(number, session)
    let count = 0
    for (const { key, session, words } of entries) {
      insert.run(key, `${sessionWord(session)} ${words.join(" ")}`)
      count += words.length
    }
    connection.statement("UPDATE search_volume SET words = words + ? WHERE number = ?").run(count, number)
  }
  writeProgress(connection, "search", upTo)
}

/** Deletes index entries of removed sessions. Searches do not return them, but have to skip them each time. */
async function forgetRemovedSessions(connection: Connection, signal?: AbortSignal): Promise<void> {
  const removedSince = () =>
    connection
      .statement("SELECT key, session, rest FROM removed_session WHERE key > ? ORDER BY key LIMIT 1")
      .get(readProgress(connection, "search-removed")) as
      | { key: number; session: number | null; rest: 0 | 1 }
      | undefined
  // Sessions whose records are not deleted yet follow later, because only entries without a record are deleted.
  for (let removed; (removed = await connection.read(removedSince)); await yieldTurn(signal)) {
    const { key, session, rest } = removed
    if (rest === 1) return
    const volumes = session === null ? [] : await connection.read(() => volumesOf(connection))
    for (const { number } of volumes) {
      while (await connection.write(() => forgetSome(connection, number, Number(session)))) await yieldTurn(signal)
    }
    await connection.write(() => writeProgress(connection, "search-removed", key))
  }
}

const FORGOTTEN_AT_ONCE = 500

/** Deletes only entries without a record, because another session may have got the key. Returns whether any was deleted. */
function forgetSome(connection: Connection, number: number, session: number): boolean {
  const table = tableOf(number)
  // Another process may have rebuilt the index.
  if (!volumesOf(connection).some((volume) => volume.number === number)) return false
  const rows = connection
    .statement(
      `SELECT rowid AS key FROM ${table} WHERE ${table} MATCH ? AND rowid NOT IN (SELECT key FROM record) LIMIT ?`,
    )
    .all(sessionWord(session), FORGOTTEN_AT_ONCE) as { key: number }[]
  const remove = connection.statement(`DELETE FROM ${table} WHERE rowid = ?`)
  for (const { key } of rows) remove.run(key)
  return rows.length > 0
}
