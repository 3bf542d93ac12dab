import type { SessionID, WatchedChange } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { closedError, isBusy, toStorageError } from "./errors.ts"
import { lastKey } from "./record.ts"
import { createWatchers } from "@pawl/storage-kit"

export interface ChangeFeed {
  watch(filter: { readonly sessionID?: SessionID }, signal: AbortSignal): AsyncIterable<WatchedChange>
  /** Notifies watchers of commits since the last call. Call it after each own commit. */
  catchUp(): void
  close(): void
}

/**
 * Follows the file by its keys: records behind the last key were committed since, by any process. Reports own commits
 * at once, and those of other processes when SQLite's counter of foreign commits has changed.
 */
export function createChangeFeed(connection: Connection, pollInterval: number): ChangeFeed {
  let seen = 0
  let version: unknown
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const watchers = createWatchers((size) => {
    if (size > 0 && !timer) timer = setInterval(poll, pollInterval).unref()
    if (size > 0) return
    clearInterval(timer)
    timer = undefined
  })

  function poll(): void {
    guard(() => {
      const current = connection.statement("PRAGMA data_version").get()?.["data_version"]
      if (current === version) return
      deliver()
      version = current
    })
  }

  function deliver(): void {
    // The file was recovered without its newest commits, so any session may have changed.
    if (lastKey(connection) < seen) seen = 0
    for (const row of changesBehind(connection, seen)) {
      seen = row.key
      watchers.notify({ sessionID: fromColumn(row.id) as SessionID, revision: row.revision })
    }
  }

  /** A failure here ends the watchers, because it must not make a commit fail. */
  function guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      // The next poll reports it.
      if (!isBusy(error)) watchers.end(toStorageError(error, connection.path))
    }
  }

  return {
    watch(filter, signal) {
      const first = watchers.size === 0
      if (!first) guard(deliver)
      const changes = watchers.watch(filter, signal)
      if (closed) watchers.end(closedError(connection.location))
      else if (first) guard(() => (seen = lastKey(connection)))
      return changes
    },
    catchUp() {
      if (watchers.size > 0) guard(deliver)
    },
    close() {
      closed = true
      watchers.end()
    },
  }
}

interface ChangedSession {
  readonly id: string
  readonly revision: number
  readonly key: number
}

function changesBehind(connection: Connection, key: number): ChangedSession[] {
  return connection
    .statement(
      "SELECT session.id AS id, max(revision) AS revision, max(record.key) AS key FROM record " +
        "JOIN session ON session.key = record.session WHERE record.key > ? GROUP BY record.session " +
        "UNION ALL SELECT id, 0, key FROM removed_session WHERE key > ? ORDER BY 3",
    )
    .all(key, key) as unknown as ChangedSession[]
}
