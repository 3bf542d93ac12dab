import { closeSync, fsyncSync, openSync, rmSync } from "node:fs"
import { type LongWork, StorageError } from "@pawl/core/storage"
import { syncParent } from "@pawl/storage-kit"
import type { Connection } from "./connection.ts"
import { ensureDirectoryOf } from "./database-file.ts"
import { toStorageError } from "./errors.ts"
import { loadSqlite } from "./node-sqlite.ts"
import { openReadable } from "./readable-file.ts"

const PAGES_AT_ONCE = 4096

/** Copies the file as it is at the start, off the event loop. A handle of its own holds that state. */
export async function backup(connection: Connection, to: string, work: LongWork = {}): Promise<void> {
  work.signal?.throwIfAborted()
  // Throws if the storage is closed.
  await connection.read(() => undefined)
  try {
    ensureDirectoryOf(to)
    closeSync(openSync(to, "ax", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw toStorageError(error, to)
    throw new StorageError(`${to} is there already. Name a new file for the backup.`, { cause: error })
  }
  try {
    await copy(connection.path, to, work)
    sync(to)
    syncParent(to)
  } catch (error) {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(to + suffix, { force: true })
    throw work.signal?.aborted ? work.signal.reason : toStorageError(error, to)
  }
}

async function copy(path: string, to: string, { signal, onProgress }: LongWork): Promise<void> {
  const sqlite = loadSqlite()
  const { db: source, requireUnchanged } = openReadable(path)
  try {
    source.exec("PRAGMA busy_timeout = 1000")
    // Without an open read transaction, the copy would start again at each commit of another process.
    source.exec("BEGIN")
    source.prepare("SELECT count(*) FROM sqlite_schema").get()
    await sqlite.backup(source, to, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => {
        signal?.throwIfAborted()
        onProgress?.(totalPages - remainingPages, totalPages)
      },
    })
    signal?.throwIfAborted()
    requireUnchanged()
  } finally {
    source.close()
  }
}

function sync(path: string): void {
  const file = openSync(path, "r+")
  fsyncSync(file)
  closeSync(file)
}
