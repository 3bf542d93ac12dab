import type { DatabaseSync } from "node:sqlite"
import { closeSync, openSync, rmSync, statSync } from "node:fs"
import { loadSqlite } from "../node-sqlite.ts"

// https://www.sqlite.org/rescode.html#busy
const BUSY = 5

/**
 * Detects other handles on the file. Each open handle holds a shared lock on `<file>-lock`. Only the holder of the
 * exclusive lock may replace a damaged file. The system releases the locks of a dead process.
 */
export interface Presence {
  /** Acquires the shared lock, if it is not held. Throws SQLite's "busy" while another handle holds the exclusive lock. */
  share(): void
  /**
   * Runs `work` under the exclusive lock, then acquires the shared lock again. Throws SQLite's "busy" if another handle is
   * open, or holds the exclusive lock afterwards.
   */
  alone<T>(work: () => T): T
  close(): void
  /** Closes. If no other handle is open, first runs `work`, and removes the file if this handle created it. */
  discard(work: () => void): void
}

export function openPresence(path: string): Presence {
  const file = `${path}-lock`
  const { DatabaseSync } = loadSqlite()
  let handle = open()

  // An empty database that only provides SQLite's locks. Nothing is written to it.
  function open() {
    const isNew = ensureFile(file)
    return { isNew, inode: inodeOf(file), db: new DatabaseSync(file, { timeout: 0 }) }
  }

  function share(): void {
    if (handle.db.isTransaction) return
    lock(handle.db, () => {
      handle.db.exec("BEGIN")
      handle.db.prepare("SELECT count(*) FROM sqlite_schema").get()
    })
    if (isCurrent()) return
    handle.db.close()
    handle = open()
    share()
  }

  /** Returns false if another process has replaced the lock file, so that this lock protects nothing. */
  function isCurrent(): boolean {
    return handle.inode !== undefined && inodeOf(file) === handle.inode
  }

  function alone<T>(work: () => T): T {
    const { db } = handle
    if (db.isTransaction) db.exec("COMMIT")
    try {
      lock(db, () => db.exec("BEGIN EXCLUSIVE"))
      try {
        if (!isCurrent()) throw Object.assign(new Error(`${file} is another file now`), { errcode: BUSY })
        return work()
      } finally {
        db.exec("COMMIT")
      }
    } finally {
      share()
    }
  }

  return {
    share,
    alone,
    close() {
      if (handle.db.isOpen) handle.db.close()
    },
    discard(work) {
      const { db, isNew } = handle
      try {
        // Not `alone`, which would acquire the shared lock again.
        ifAlone(db, () => {
          if (!isCurrent()) return
          work()
          if (isNew) rmSync(file)
        })
      } finally {
        db.close()
      }
    },
  }
}

function ifAlone(db: DatabaseSync, work: () => void): void {
  if (db.isTransaction) db.exec("COMMIT")
  try {
    // On a full disk SQLite cannot create a journal. A file that stays empty does not need one.
    lock(db, () => db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"))
    work()
  } catch {
    // Another handle is open, or the system cannot remove open files. The file stays.
  }
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}

function lock(db: DatabaseSync, take: () => void): void {
  try {
    take()
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}

/** Returns true if it created the file. */
function ensureFile(file: string): boolean {
  try {
    closeSync(openSync(file, "ax", 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    return false
  }
}
