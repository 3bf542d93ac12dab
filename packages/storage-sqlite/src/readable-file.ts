import { existsSync, realpathSync, statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { busyCode, lacksSharedIndex } from "./errors.ts"
import { loadSqlite } from "./node-sqlite.ts"
import { createTables } from "./schema.ts"

/**
 * How a file is read that may not be written:
 *
 *   shared     beside processes that write, with the index of the log that they share
 *   unchanging without a log no process has the file open: SQLite reads it without locks and makes no file beside it
 *   alone      with a log whose shared index cannot be made, as on a full disk: SQLite keeps the index in memory, and
 *              locks out all others meanwhile, so each read opens the file and closes it
 *   missing    a database in memory without sessions: each read looks for the file again
 */
export interface ReadableFile {
  readonly db: DatabaseSync
  readonly access: "shared" | "unchanging" | "alone" | "missing"
  /** Throws SQLite's "busy" if the file may have changed while it was read without locks. */
  readonly requireUnchanged: () => void
  /** Returns true if later reads may use `db`. */
  readonly isCurrent: () => boolean
}

/** Throws SQLite's errors, and what `check` throws. */
export function openReadable(name: string, check: (db: DatabaseSync) => void = () => {}): ReadableFile {
  // SQLite keeps the log beside the file that a link leads to.
  const path = existsSync(name) ? realpathSync(name) : name
  const state = stateOf(path)
  if (!hasLogFile(path)) return unchanging(path, state, check)
  try {
    return { db: open(path, check), access: "shared", requireUnchanged: nothing, isCurrent: () => true }
  } catch (error) {
    if (!lacksSharedIndex(error)) throw error
    return { db: openAlone(path, check, error), access: "alone", requireUnchanged: nothing, isCurrent: () => false }
  }
}

/** Stands for a file that does not exist yet. */
export function emptyFile(): ReadableFile {
  const { DatabaseSync } = loadSqlite()
  const db = new DatabaseSync(":memory:")
  createTables(db)
  return { db, access: "missing", requireUnchanged: nothing, isCurrent: () => false }
}

const nothing = () => undefined

function unchanging(path: string, state: string, check: (db: DatabaseSync) => void): ReadableFile {
  const isCurrent = () => stateOf(path) === state
  return {
    db: open(urlOf(path, "mode=ro&immutable=1"), check),
    access: "unchanging",
    isCurrent,
    requireUnchanged: () => {
      if (!isCurrent()) throw Object.assign(new Error(`${path} changed while it was read`), { errcode: busyCode })
    },
  }
}

function openAlone(path: string, check: (db: DatabaseSync) => void, reason: unknown): DatabaseSync {
  const alone = (db: DatabaseSync) => {
    // Before the first access: from then on SQLite has chosen where the index is.
    db.exec("PRAGMA locking_mode = EXCLUSIVE")
    check(db)
  }
  try {
    return open(urlOf(path, "mode=rw"), alone, false)
  } catch (error) {
    // Each process that has the file open has the shared index, too, and its file cannot be made here.
    if (!lacksSharedIndex(error) || existsSync(`${path}-shm`)) throw error
  }
  try {
    // A file that may not be written takes no lock for writing, and needs none.
    return open(urlOf(path, "mode=ro&vfs=unix-none"), alone)
  } catch {
    throw reason
  }
}

function open(location: string | URL, check: (db: DatabaseSync) => void, readOnly = true): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  const db = new DatabaseSync(location, { readOnly, timeout: 5 })
  try {
    // The disk for temporary files may be the full one.
    db.exec("PRAGMA temp_store = MEMORY")
    check(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function urlOf(path: string, query: string): URL {
  const url = pathToFileURL(path)
  url.search = query
  return url
}

function stateOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, hasLogFile(path)].join(" ")
}

/** An empty one, too, is of a process that has the file open. */
function hasLogFile(path: string): boolean {
  return existsSync(`${path}-wal`)
}
