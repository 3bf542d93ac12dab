import type { DatabaseSync } from "node:sqlite"
import { closeSync, openSync, rmSync, statSync } from "node:fs"
import { loadSqlite } from "../node-sqlite.ts"

// https://www.sqlite.org/rescode.html#busy
const BUSY = 5

/**
 * Tells processes of one another: each handle holds a shared lock on `<file>-lock` for as long as it is open, and only
 * who holds it alone may put another file in the place of a damaged one. The system frees the lock of a dead process.
 */
export interface Presence {
  /** Throws SQLite's "busy" while another handle holds it alone. Does nothing when it is shared already. */
  share(): void
  /**
   * Runs `work` while no other handle is open, or throws SQLite's "busy". Shared again afterwards, unless another handle
   * holds it alone by then, which is "busy" too.
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

  // An empty database: nothing is ever written to it, only SQLite's locks are used.
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

  /** Else another process has discarded the file meanwhile: its lock is not the one that others ask for. */
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
        // Not by `alone`, which shares it again.
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
    // On a full disk SQLite could not create a journal, which a file that stays empty does not need.
    lock(db, () => db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"))
    work()
  } catch {
    // Another handle is open, or the system removes no open file: it stays, as it does behind every other opening.
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
