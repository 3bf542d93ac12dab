import type { SessionID } from "@pawl/core/storage"
import { toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { lastKey } from "./record.ts"
import { turn, yieldTurn } from "./turn.ts"

/** Maximum time that a transaction deletes. Its changes must also reach the disk under the lock. */
const DELETING_MS = 10

/** Maximum records of a transaction, because each one writes one or two pages. */
const RECORDS_AT_ONCE = 500

/** Chunks are 255 pages each. */
const CHUNKS_AT_ONCE = 2

/**
 * Removes the session and all sessions below it, for all processes at once. Keeps their ids under new keys, which report
 * the removal to watchers. `deleteRemoved` deletes the records that do not fit into this transaction.
 */
export function removeSessionTree(connection: Connection, id: SessionID): Promise<void> {
  // Without cascades, which would delete all records of a session in one transaction.
  return connection.writeWithoutCascades(() => {
    hideSessionTree(connection, id)
    deleteSome(connection)
  })
}

/** Deletes the records of removed sessions in short transactions. If the storage is closed before the end, the next one continues. */
export async function deleteRemoved(connection: Connection, signal?: AbortSignal): Promise<void> {
  while (!connection.isClosing() && (await connection.read(() => nextRemoved(connection)))) {
    await yieldTurn(signal)
    if (!connection.isClosing()) await connection.write(() => deleteSome(connection))
  }
}

/** SQL that is true for a record, by the name of its table, that was removed and is not deleted yet. */
export const isRemoved = (record: string) =>
  `EXISTS (SELECT 1 FROM removed_session WHERE removed_session.session = ${record}.session AND rest = 1)`

function hideSessionTree(connection: Connection, id: SessionID): void {
  const sessions = connection
    .statement(
      "WITH RECURSIVE tree (key, id) AS (SELECT key, id FROM session WHERE id = ? " +
        "UNION SELECT session.key, session.id FROM session JOIN tree ON session.parent_id = tree.id) SELECT key, id FROM tree",
    )
    .all(toColumn(id)) as { key: number; id: string }[]
  let key = lastKey(connection)
  const note = connection.statement(
    "INSERT INTO removed_session (key, id, session, epoch, time, rest) VALUES (?, ?, ?, " +
      "max(ifnull((SELECT epoch FROM lease WHERE session = ?), 0), " +
      "ifnull((SELECT epoch FROM removed_session ORDER BY key DESC LIMIT 1), 0)), ?, 1)",
  )
  for (const session of sessions) {
    note.run(++key, session.id, session.key, session.key, Date.now())
    for (const table of ["lease", "search_session", "session_size"]) {
      connection.statement(`DELETE FROM ${table} WHERE session = ?`).run(session.key)
    }
    connection.statement("DELETE FROM session WHERE key = ?").run(session.key)
  }
}

interface Removed {
  readonly key: number
  readonly session: number
}

function nextRemoved(connection: Connection): Removed | undefined {
  return connection
    .statement("SELECT key, session FROM removed_session WHERE rest = 1 ORDER BY session LIMIT 1")
    .get() as Removed | undefined
}

function deleteSome(connection: Connection): void {
  const hasTime = turn(DELETING_MS)
  let left = RECORDS_AT_ONCE
  for (let removed; (removed = nextRemoved(connection));) {
    // Only records from before the removal, because another session may have got the key. Keys ascend over the whole file.
    const rows = connection
      .statement("SELECT key FROM record WHERE session = ? AND +key < ? LIMIT ?")
      .all(removed.session, removed.key, left) as { key: number }[]
    for (const { key } of rows) {
      if (!deleteRecord(connection, key, hasTime)) return
    }
    left -= rows.length
    if (left === 0) return
    connection.statement("UPDATE removed_session SET rest = 0 WHERE key = ?").run(removed.key)
  }
}

/** Returns true if there is time for another record. */
function deleteRecord(connection: Connection, key: number, hasTime: () => boolean): boolean {
  const chunks = connection.statement(
    "DELETE FROM chunk WHERE rowid IN (SELECT rowid FROM chunk WHERE record = ? LIMIT ?)",
  )
  while (chunks.run(key, CHUNKS_AT_ONCE).changes > 0) {
    if (!hasTime()) return false
  }
  connection.statement("DELETE FROM record WHERE key = ?").run(key)
  return hasTime()
}
