import { resolve } from "node:path"
import { type LongWork, type MaintainedStorage, StorageError } from "@pawl/core/storage"
import { backup } from "./backup.ts"
import type { BlobClock } from "./blob-age.ts"
import { createBlobStore } from "./blobs.ts"
import { createChangeFeed } from "./change-feed.ts"
import { collectGarbage } from "./collect-garbage.ts"
import { commitWrites } from "./commit.ts"
import type { Connection } from "./connection.ts"
import { acquireLease, proveLease, readHolder } from "./lease.ts"
import { listSessions } from "./list-sessions.ts"
import { moveBlobs } from "./move-blobs.ts"
import { openConnection } from "./open-connection.ts"
import { currentProcess, prepareWrite } from "@pawl/storage-kit"
import { readChanges } from "./read-changes.ts"
import { readMessages } from "./read-messages.ts"
import { readContext, readRevisions, readSession } from "./read-session.ts"
import { rebuild } from "./rebuild.ts"
import { deleteRemoved, removeSessionTree } from "./remove-session.ts"
import { search } from "./search/search.ts"
import { readStats } from "./stats.ts"
import { verify } from "./verify/verify.ts"

export interface SqliteStorageOptions {
  /** The database file. If it is missing, it is created with its directories, for the owner only. */
  readonly path: string
  /** `sync` (default): a commit survives a power cut. `async`: it survives the end of the process, not of the machine. */
  readonly durability?: "sync" | "async"
  /** Clock for leases: monotonic milliseconds that all processes of a boot share. */
  readonly clock?: () => number
  /** Maximum milliseconds that a commit waits for those of other processes. Default: 10,000. */
  readonly lockTimeout?: number
  /**
   * `refuse` (default): a damaged file is an error. `recover`: keeps it under another name and continues with a new file
   * that holds everything readable.
   */
  readonly onDamage?: "refuse" | "recover"
  /** Called once per notice to the user: that the file was damaged, where it is kept, and how much was saved. */
  readonly onNotice?: (message: string) => void
  /** Milliseconds between two checks for commits of other processes. Default: 200. */
  readonly pollInterval?: number
}

export interface SqliteStorage extends MaintainedStorage {
  /**
   * Copies all records, as they are now, into a new file. Other processes can read and write meanwhile. Resolves when the
   * copy is on the disk. Rejects with a StorageError if the file exists. A copy that fails or is aborted is removed.
   */
  backup(to: string, work?: LongWork): Promise<void>
}

/** Opens a storage in one SQLite file, for any number of processes of one machine. Rejects with a StorageError. */
export async function sqliteStorage(options: SqliteStorageOptions): Promise<SqliteStorage> {
  const { path, durability = "sync", lockTimeout = 10_000, onDamage = "refuse", onNotice = () => {} } = options
  if (path === ":memory:") {
    throw new StorageError('":memory:" is not a file. Use "memory:" for a storage that ends with its process.')
  }
  const connection = await openConnection({ path: resolve(path), durability, lockTimeout, onDamage, onNotice })
  try {
    await moveBlobs({ connection, clock: blobClock(options.clock) })
    // Finishes removals of killed processes. No caller sees these records or waits for them; on failure the next open retries.
    void deleteRemoved(connection).catch(() => undefined)
    return createStorage(connection, options)
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Opens the storage of a URL: `sqlite:` and the path of a file, such as `sqlite:/home/ada/pawl.db`. */
export async function openStorage(url: string): Promise<SqliteStorage> {
  const path = /^sqlite:(?<path>.+)$/s.exec(url)?.groups?.["path"]
  if (path === undefined || path.startsWith("//")) {
    throw new StorageError(`"${url}" names no SQLite file: write "sqlite:" and its path, such as sqlite:/path/pawl.db.`)
  }
  return sqliteStorage({ path })
}

export function createStorage(
  connection: Connection,
  { clock = bootClock, pollInterval = 200 }: Pick<SqliteStorageOptions, "clock" | "pollInterval"> = {},
): SqliteStorage {
  const leases = { connection, clock, self: currentProcess() }
  const feed = createChangeFeed(connection, pollInterval)
  const blobs = { connection, clock: blobClock(clock) }

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
    readContext: (id) => connection.readMapped(() => readContext(connection, id)),
    readChanges: (id, after) => connection.read(() => readChanges(connection, id, after)),
    readRevisions: (ids) => connection.read(() => readRevisions(connection, ids)),
    readMessages: (id, query) => readMessages(connection, id, query),
    watch: (filter, signal) => feed.watch(filter, signal),
    async removeSession(id) {
      await removeSessionTree(connection, id)
      feed.catchUp()
      await deleteRemoved(connection)
    },
    acquire: (id, owner, ttl) => acquireLease(leases, id, owner, ttl),
    leaseHolder: (id) => connection.read(() => readHolder(leases, id)),
    blobs: createBlobStore(blobs),
    search: (query, work) => search(connection, query, work),
    stats: () => readStats(connection),
    verify: (work) => verify(connection, work),
    async rebuild(work) {
      await rebuild(connection, work)
      feed.catchUp()
    },
    gc: (options) => collectGarbage(blobs, options),
    backup: (to, work) => backup(connection, resolve(to), work),
    close() {
      feed.close()
      return connection.close()
    },
  }
}

function blobClock(uptime: () => number = bootClock): BlobClock {
  return { uptime, now: Date.now, boot: currentProcess().boot }
}

/** Returns the time since boot, which is the same for all processes: CLOCK_MONOTONIC or its equivalent. */
function bootClock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
