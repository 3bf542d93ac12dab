import type { DatabaseSync } from "node:sqlite"
import { ensureDatabaseFile } from "./database-file.ts"
import { damageError } from "./errors.ts"
import { loadSqlite } from "./node-sqlite.ts"
import { ensureSchema } from "./schema.ts"

// SQLite blocks the event loop while it waits, so it waits only as long as a short commit takes.
const SQLITE_WAIT_MS = 5

/** Opens the file, creates it if it is missing, and updates its tables. Throws SQLite's errors. */
export function openDatabase(path: string, durability: "sync" | "async"): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  ensureDatabaseFile(path)
  const opened = new DatabaseSync(path, { timeout: SQLITE_WAIT_MS })
  try {
    ensureSchema(opened, path)
    // FULL waits for the disk with each commit, NORMAL with each checkpoint. macOS needs the second pragma for that.
    opened.exec(`PRAGMA synchronous = ${durability === "sync" ? "FULL" : "NORMAL"}; PRAGMA fullfsync = ON`)
    // In pages of 1 KB. The log is moved into the file every 1 MB. Overwriting a log takes half the time of extending
    // it, and the log does not stay large after a burst.
    // A small cache, because reading pages from the system's cache is faster than using more memory.
    opened.exec("PRAGMA wal_autocheckpoint = 1024; PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -512")
    requireTables(opened)
    return opened
  } catch (error) {
    opened.close()
    throw error
  }
}

/** Reads only the schema, and the ends of the tables that every commit needs. */
export function requireTables(db: DatabaseSync): void {
  try {
    db.prepare("SELECT key, id, parent_id, project_id, directory, title, archived FROM session LIMIT 1").get()
    db.prepare("SELECT key, session, message_id, part_id, revision, data FROM record ORDER BY key DESC LIMIT 1").get()
    db.prepare("SELECT record, position, bytes FROM chunk LIMIT 0").get()
    db.prepare("SELECT key, id, session, epoch, time, rest FROM removed_session ORDER BY key DESC LIMIT 1").get()
    db.prepare("SELECT key, id, size, whole, put, boot, uptime FROM blob LIMIT 0").get()
    db.prepare("SELECT blob, position, last, bytes FROM blob_piece LIMIT 0").get()
    requireIndexes(db)
  } catch (error) {
    // The text of the schema is damaged, so SQLite does not find a column.
    if ((error as { errcode?: number }).errcode === 1) throw damageError((error as Error).message, error)
    throw error
  }
}

const indexes = [
  "session_child",
  "session_root",
  "session_directory",
  "session_project",
  "record_id",
  "record_revision",
]

function requireIndexes(db: DatabaseSync): void {
  const row = db
    .prepare(
      "SELECT count(*) AS count FROM sqlite_schema WHERE type = 'index' AND name IN (SELECT value FROM json_each(?))",
    )
    .get(JSON.stringify(indexes))
  if (row?.["count"] !== indexes.length) throw damageError("an index is missing")
}
