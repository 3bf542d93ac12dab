import { resolve } from "node:path"
import type { Storage } from "@pawl/core"
import { createBlobStore } from "./blobs.ts"
import { createChangeFeed } from "./change-feed.ts"
import { commitWrites } from "./commit.ts"
import { type Connection, openConnection } from "./connection.ts"
import { acquireLease, proveLease } from "./lease.ts"
import { listSessions } from "./list-sessions.ts"
import { prepareWrite } from "./prepared-write.ts"
import { currentProcess } from "./process-identity.ts"
import { readChanges } from "./read-changes.ts"
import { readMessages } from "./read-messages.ts"
import { readContext, readSession } from "./read-session.ts"
import { removeSessionTree } from "./remove-session.ts"

export interface SqliteStorageOptions {
  /** The database file. Made when missing, with its directories, for its owner only. */
  readonly path: string
  /** `sync` (default): a commit survives a power cut. `async`: it survives the end of the process, not of the machine. */
  readonly durability?: "sync" | "async"
  /** Decides when leases end: monotonic milliseconds that all processes of a boot share. */
  readonly clock?: () => number
  /** How long a commit waits for another process's, in milliseconds. Default: 10,000. */
  readonly lockTimeout?: number
  /** How often watchers look for commits of other processes, in milliseconds. Default: 200. */
  readonly pollInterval?: number
}

/** Sessions in one SQLite file, for any number of processes of one machine. Rejects with a StorageError. */
export async function sqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  const { path, durability = "sync", lockTimeout = 10_000 } = options
  return createStorage(await openConnection({ path: resolve(path), durability, lockTimeout }), options)
}

export function createStorage(
  connection: Connection,
  { clock = bootClock, pollInterval = 200 }: Pick<SqliteStorageOptions, "clock" | "pollInterval"> = {},
): Storage {
  const leases = { connection, clock, self: currentProcess() }
  const feed = createChangeFeed(connection, pollInterval)

  return {
    location: connection.location,
    async commit(id, writes, lease) {
      const prepared = writes.map((write) => prepareWrite(id, write))
      const revision = await connection.write(() => {
        if (lease) proveLease(connection, id, lease)
        return commitWrites(connection, id, prepared)
      })
      feed.catchUp()
      return revision
    },
    getSession: (id) => connection.read(() => readSession(connection, id)),
    listSessions: (query) => listSessions(connection, query),
    readContext: (id) => connection.read(() => readContext(connection, id)),
    readChanges: (id, after) => connection.read(() => readChanges(connection, id, after)),
    readMessages: (id, query) => readMessages(connection, id, query),
    watch: (filter, signal) => feed.watch(filter, signal),
    async removeSession(id) {
      await connection.write(() => removeSessionTree(connection, id))
      feed.catchUp()
    },
    acquire: (id, owner, ttl) => acquireLease(leases, id, owner, ttl),
    blobs: createBlobStore(connection),
    close() {
      feed.close()
      return connection.close()
    },
  }
}

/** CLOCK_MONOTONIC or its like: counts from boot, for all processes alike. */
function bootClock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
