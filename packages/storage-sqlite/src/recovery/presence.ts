import type { DatabaseSync } from "node:sqlite"
import { closeSync, openSync } from "node:fs"
import { loadSqlite } from "../node-sqlite.ts"

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
}

export function openPresence(path: string): Presence {
  const file = `${path}-lock`
  ensureFile(file)
  const { DatabaseSync } = loadSqlite()
  // An empty database: nothing is ever written to it, only SQLite's locks are used.
  const db = new DatabaseSync(file, { timeout: 0 })
  const share = () => {
    if (db.isTransaction) return
    db.exec("BEGIN")
    db.prepare("SELECT count(*) FROM sqlite_schema").get()
  }
  return {
    share: () => locked(db, share),
    alone(work) {
      if (db.isTransaction) db.exec("COMMIT")
      try {
        locked(db, () => db.exec("BEGIN EXCLUSIVE"))
        try {
          return work()
        } finally {
          db.exec("COMMIT")
        }
      } finally {
        locked(db, share)
      }
    },
    close() {
      if (db.isOpen) db.close()
    },
  }
}

function locked(db: DatabaseSync, take: () => void): void {
  try {
    take()
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}

function ensureFile(file: string): void {
  try {
    closeSync(openSync(file, "ax", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}
