import { existsSync, statSync } from "node:fs"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { missingPaths, removeUnused } from "@pawl/storage-kit"
import type { Connection, ConnectionOptions } from "./connection.ts"
import { ensureDirectoryOf } from "./database-file.ts"
import { closedError, isDamage, isUnwritable } from "./errors.ts"
import { openDatabase } from "./open-database.ts"
import { openReadOnly, writeProtection } from "./read-only.ts"
import { openPresence, type Presence } from "./recovery/presence.ts"
import { createRepair, type Repair } from "./recovery/repair.ts"
import { retryWhileBusy } from "./retry.ts"
import { createWriteQueue } from "./write-queue.ts"

/** SQLite reads the rest of a larger file page by page. */
const MAX_MAPPED_BYTES = 1024 * 1024 * 1024

/** In bytes: the first page, which SQLite writes before the log. Each table has a page of its own. */
const SIZE_WITHOUT_TABLES = 1024

/** Opens the file for reading if it cannot be written or created now. Rejects with a StorageError. */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const reopen = () => openWritable(options)
  if (writeProtection(options.path)) return openReadOnly(options, reopen)
  try {
    return await reopen()
  } catch (error) {
    if (!isUnwritable(error)) throw error
    // If the file cannot be read either, the first error says what to do.
    return openReadOnly(options, reopen).catch(() => {
      throw error
    })
  }
}

/** Opens and creates the file. A failure leaves no file or directory that was missing. */
async function openFile(options: ConnectionOptions): Promise<{ presence: Presence; repair: Repair; db: DatabaseSync }> {
  const { path, durability } = options
  const missing = missingPaths(path)
  let presence: Presence | undefined
  try {
    presence = await retryWhileBusy(options, () => {
      ensureDirectoryOf(path)
      return shared(path)
    })
    const repair = createRepair({ ...options, presence })
    const db = await retryWhileBusy(options, () => repair.open(() => openDatabase(path, durability)))
    return { presence, repair, db }
  } catch (error) {
    presence?.discard(() => {
      if (!existsSync(`${path}-wal`)) removeUnused(missing, SIZE_WITHOUT_TABLES)
    })
    removeUnused(missing.slice(1))
    throw error
  }
}

async function openWritable(options: ConnectionOptions): Promise<Connection> {
  const { path, durability } = options
  const location = `sqlite:${path}`
  const opened = await openFile(options)
  const { presence, repair } = opened
  let { db } = opened
  let inode = inodeOf(path)
  /** True after the file was closed because of damage. The next request opens it again. */
  let isDetached = false

  const statements = new Map<string, StatementSync>()
  const writes = createWriteQueue((work) =>
    retryWhileBusy(options, () => recovering(() => transaction("BEGIN IMMEDIATE", work))),
  )
  let closing: Promise<void> | undefined

  function statement(sql: string): StatementSync {
    if (isDetached) reopen()
    const known = statements.get(sql)
    if (known) return known
    const prepared = db.prepare(sql)
    statements.set(sql, prepared)
    return prepared
  }

  /** Opens only under the shared lock, because another process may be replacing the file. */
  function reopen(): void {
    presence.share()
    db = openDatabase(path, durability)
    inode = inodeOf(path)
    isDetached = false
  }

  function transaction<T>(begin: string, work: () => T): T {
    // Closed while a read waited for another process's lock.
    if (!isDetached && !db.isOpen) throw closedError(location)
    statement(begin).run()
    try {
      const value = work()
      statement("COMMIT").run()
      return value
    } catch (error) {
      // After some failures, such as a full disk, SQLite has already rolled back.
      if (db.isTransaction) statement("ROLLBACK").run()
      throw error
    }
  }

  /** SQLite changes this between transactions only. */
  function withoutCascades<T>(attempt: () => T): T {
    statement("PRAGMA foreign_keys = OFF").run()
    try {
      return attempt()
    } finally {
      statement("PRAGMA foreign_keys = ON").run()
    }
  }

  /**
   * Maps the file only during the read. If the disk fails or another program truncates a mapped file, the process ends
   * instead of getting an error.
   */
  function mapped<T>(attempt: () => T): T {
    // Closed while a read waited for another process's lock.
    if (!isDetached && !db.isOpen) throw closedError(location)
    statement(`PRAGMA mmap_size = ${MAX_MAPPED_BYTES}`).get()
    try {
      return attempt()
    } finally {
      if (db.isOpen) statement("PRAGMA mmap_size = 0").get()
    }
  }

  /** Repeats the work once, on the file that was recovered from the damaged one. */
  function recovering<T>(attempt: () => T): T {
    try {
      return attempt()
    } catch (error) {
      if (options.onDamage !== "recover" || !isDamage(error)) throw error
      if (db.isOpen) db.close()
      statements.clear()
      isDetached = true
      repair.replace(inode, error)
      return attempt()
    }
  }

  return {
    path,
    location,
    statement,
    exec: (sql) => db.exec(sql),
    async write(work) {
      if (closing) throw closedError(location)
      return writes.add(work)
    },
    async writeWithoutCascades(work) {
      if (closing) throw closedError(location)
      return writes.addAlone(() =>
        retryWhileBusy(options, () => recovering(() => withoutCascades(() => transaction("BEGIN IMMEDIATE", work)))),
      )
    },
    async read(work) {
      if (closing) throw closedError(location)
      return retryWhileBusy(options, () => recovering(() => transaction("BEGIN", work)))
    },
    async readMapped(work) {
      if (closing) throw closedError(location)
      return retryWhileBusy(options, () => recovering(() => mapped(() => transaction("BEGIN", work))))
    },
    async inspect(work) {
      if (closing) throw closedError(location)
      return retryWhileBusy(options, () => transaction("BEGIN", work))
    },
    async checkpoint() {
      if (closing) throw closedError(location)
      return writes.addAlone(() =>
        retryWhileBusy(options, () => void statement("PRAGMA wal_checkpoint(TRUNCATE)").get()),
      )
    },
    isClosing: () => closing !== undefined,
    close() {
      // The last connection to close moves the log into the file and removes it.
      closing ??= writes.settled().then(() => {
        if (db.isOpen) db.close()
        isDetached = false
        presence.close()
      })
      return closing
    },
  }
}

function shared(path: string): Presence {
  const presence = openPresence(path)
  try {
    presence.share()
    return presence
  } catch (error) {
    presence.close()
    throw error
  }
}

function inodeOf(path: string): bigint {
  return statSync(path, { bigint: true }).ino
}
