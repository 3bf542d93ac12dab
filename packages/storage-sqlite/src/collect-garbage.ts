import type { GCOptions } from "@pawl/core/storage"
import { isOlderThan } from "./blob-age.ts"
import type { BlobDeps } from "./blobs.ts"
import type { Connection } from "./connection.ts"
import { catchUpReferences, isReferenced, sweepReferences, takeInReferences } from "./references.ts"
import { readProgress } from "./progress.ts"
import { deleteRemoved } from "./remove-session.ts"
import { catchUpSearch } from "./search/catch-up.ts"
import { sweepSearch } from "./search/sweep.ts"
import { dropDetached } from "./search/volumes.ts"
import { yieldTurn } from "./turn.ts"

const DAY_MS = 86_400_000

/** After this time, an incomplete blob counts as abandoned by its process. */
const MAX_PUT_MS = 3_600_000

const BLOBS_AT_ONCE = 200
const PAGES_AT_ONCE = 1000
const ROWS_AT_ONCE = 1000

/** Deletes blobs, then index entries of removed records, then returns free pages to the disk. */
export async function collectGarbage(
  deps: BlobDeps,
  { minAge = DAY_MS, signal, onProgress }: GCOptions = {},
): Promise<{ blobs: number; bytes: number }> {
  const { connection } = deps
  signal?.throwIfAborted()
  await deleteRemoved(connection, signal)
  await catchUpReferences(connection, signal)
  const freed = { blobs: 0, bytes: 0 }
  for (let after: number | undefined = 0; after !== undefined; await yieldTurn(signal)) {
    const from: number = after
    const marked = await connection.write(() => markGarbage(deps, minAge, from))
    freed.blobs += marked.blobs
    freed.bytes += marked.bytes
    after = marked.next
    onProgress?.(freed.blobs, freed.blobs)
  }
  await connection.write(() => markAbandoned(deps, minAge))
  await removeGarbage(connection, signal)
  await sweepReferences(connection, signal)
  if (isSearched(connection)) await catchUpSearch(connection, { signal })
  await sweepSearch(connection, signal)
  // Tables that an interrupted rebuild left.
  while (await connection.write(() => dropDetached(connection))) await yieldTurn(signal)
  await freePages(connection, signal)
  // Only now, when no free page has a deleted record that a recovery could find.
  while ((await connection.write(() => forgetRemovals(deps))) === ROWS_AT_ONCE) await yieldTurn(signal)
  return freed
}

interface Marked {
  readonly blobs: number
  readonly bytes: number
  /** Key from which to continue; undefined after the last one. */
  readonly next: number | undefined
}

/** Runs in one transaction with the references of all commits, so that no reference is missed. */
function markGarbage({ connection, clock }: BlobDeps, minAge: number, after: number): Marked {
  if (!takeInReferences(connection)) return { blobs: 0, bytes: 0, next: after }
  const { sql, values } = isOlderThan(minAge, clock)
  const rows = connection
    .statement(
      `SELECT key, size, ${sql} AND NOT ${isReferenced} AS garbage FROM blob WHERE key > ? AND whole = 1 ` +
        "ORDER BY key LIMIT ?",
    )
    .all(...values, after, BLOBS_AT_ONCE) as { key: number; size: number; garbage: 0 | 1 }[]
  const garbage = rows.filter((row) => row.garbage === 1)
  const mark = connection.statement("UPDATE blob SET whole = -1 WHERE key = ?")
  for (const { key } of garbage) mark.run(key)
  const bytes = garbage.reduce((sum, { size }) => sum + size, 0)
  return { blobs: garbage.length, bytes, next: rows.length < BLOBS_AT_ONCE ? undefined : rows.at(-1)?.key }
}

/** Marks incomplete blobs of processes that were killed. */
function markAbandoned({ connection, clock }: BlobDeps, minAge: number): void {
  const { sql, values } = isOlderThan(Math.max(minAge, MAX_PUT_MS), clock)
  connection.statement(`UPDATE blob SET whole = -1 WHERE whole = 0 AND ${sql}`).run(...values)
}

async function removeGarbage(connection: Connection, signal?: AbortSignal): Promise<void> {
  const removeSome = () => {
    const row = connection.statement("SELECT key FROM blob WHERE whole = -1 LIMIT 1").get() as
      | { key: number }
      | undefined
    if (!row) return false
    const { changes } = connection
      .statement(
        "DELETE FROM blob_piece WHERE rowid IN (SELECT rowid FROM blob_piece WHERE blob = ? ORDER BY position LIMIT 4)",
      )
      .run(row.key)
    if (changes === 0) connection.statement("DELETE FROM blob WHERE key = ?").run(row.key)
    return true
  }
  while (await connection.write(removeSome)) await yieldTurn(signal)
}

/**
 * Deletes removals that every watcher has seen since yesterday, and returns their number. Keeps the newest, which holds
 * the highest key and the highest epoch.
 */
function forgetRemovals({ connection, clock }: BlobDeps): number {
  const takenIn = isSearched(connection) ? readProgress(connection, "search-removed") : Number.MAX_SAFE_INTEGER
  const { changes } = connection
    .statement(
      "DELETE FROM removed_session WHERE key IN (SELECT key FROM removed_session WHERE rest = 0 AND time <= ? " +
        "AND key <= ? AND key < (SELECT max(key) FROM removed_session) ORDER BY key LIMIT ?)",
    )
    .run(clock.now() - DAY_MS, takenIn, ROWS_AT_ONCE)
  return Number(changes)
}

function isSearched(connection: Connection): boolean {
  return connection.statement("SELECT 1 FROM search_volume LIMIT 1").get() !== undefined
}

async function freePages(connection: Connection, signal?: AbortSignal): Promise<void> {
  const free = () => (connection.statement("PRAGMA freelist_count").get() as { freelist_count: number }).freelist_count
  while ((await connection.read(free)) > 0) {
    await connection.write(() => connection.statement(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`).all())
    await yieldTurn(signal)
  }
  await connection.checkpoint()
}
