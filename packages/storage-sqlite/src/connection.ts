import { setTimeout as sleep } from "node:timers/promises"
import type { StatementSync } from "node:sqlite"
import { ensureDatabaseFile } from "./database-file.ts"
import { busyError, closedError, isBusy, toStorageError } from "./errors.ts"
import { loadSqlite } from "./node-sqlite.ts"
import { ensureSchema } from "./schema.ts"

export interface ConnectionOptions {
  readonly path: string
  readonly durability: "sync" | "async"
  /** How long to wait for another process's lock, in milliseconds. */
  readonly lockTimeout: number
}

/** One open file. Work is synchronous, so that no transaction is ever open while other code runs. */
export interface Connection {
  readonly path: string
  readonly location: string
  /** Prepared at first use, then kept. */
  statement(sql: string): StatementSync
  /**
   * One write transaction, after all those asked for before it: committed when `work` returns, rolled back when it
   * throws. `work` runs again when another process held the lock.
   */
  write<T>(work: () => T): Promise<T>
  /** Reads that see one state of the file. */
  read<T>(work: () => T): Promise<T>
  /** Waits for the writes asked for, then closes. */
  close(): Promise<void>
}

// The event loop stands still while SQLite itself waits, so it waits only as long as a short commit takes.
const SQLITE_WAIT_MS = 5
const RETRY_MS = 8

export async function openConnection({ path, durability, lockTimeout }: ConnectionOptions): Promise<Connection> {
  const location = `sqlite:${path}`
  const { DatabaseSync } = loadSqlite()

  const db = await retryWhileBusy(() => {
    ensureDatabaseFile(path)
    const opened = new DatabaseSync(path, { timeout: SQLITE_WAIT_MS })
    try {
      ensureSchema(opened, path)
      // FULL waits for the disk with each commit, NORMAL with each checkpoint. macOS needs the second pragma for that.
      opened.exec(`PRAGMA synchronous = ${durability === "sync" ? "FULL" : "NORMAL"}; PRAGMA fullfsync = ON`)
      // In pages of 1 KB. The log goes into the file every 1 MB: a log that is written over again, not made longer,
      // is on the disk in half the time. It does not stay large after a burst.
      // A small cache: its memory costs more to touch than the pages cost to read again from the system's cache.
      opened.exec("PRAGMA wal_autocheckpoint = 1024; PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -512")
      return opened
    } catch (error) {
      opened.close()
      throw error
    }
  })

  const statements = new Map<string, StatementSync>()
  let writes: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | undefined

  function statement(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known) return known
    const prepared = db.prepare(sql)
    statements.set(sql, prepared)
    return prepared
  }

  function transaction<T>(begin: string, work: () => T): T {
    // Closed while a read waited for another process's lock.
    if (!db.isOpen) throw closedError(location)
    statement(begin).run()
    try {
      const value = work()
      statement("COMMIT").run()
      return value
    } catch (error) {
      // SQLite has already rolled back after some failures, a full disk among them.
      if (db.isTransaction) statement("ROLLBACK").run()
      throw error
    }
  }

  async function retryWhileBusy<T>(attempt: () => T): Promise<T> {
    const start = performance.now()
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error)) throw toStorageError(error, path)
        const waited = performance.now() - start
        if (waited >= lockTimeout) throw busyError(path, waited, error)
      }
      // By chance, so that waiting processes do not meet again and again.
      await sleep(1 + Math.random() * RETRY_MS)
    }
  }

  return {
    path,
    location,
    statement,
    async write(work) {
      if (closing) throw closedError(location)
      const result = writes.then(() => retryWhileBusy(() => transaction("BEGIN IMMEDIATE", work)))
      writes = Promise.allSettled([result])
      return result
    },
    async read(work) {
      if (closing) throw closedError(location)
      return retryWhileBusy(() => transaction("BEGIN", work))
    },
    close() {
      // The last connection to close moves the log into the file and removes it.
      closing ??= writes.then(() => db.close())
      return closing
    },
  }
}
