import type { DatabaseSync } from "node:sqlite"
import { StorageError } from "@pawl/core/storage"

/**
 * `session` is what lists are made from; `record` holds what was stored, as JSON: the session itself ('', ''), a message
 * (id, '') or a part (id, id). A record without data was removed. Each put gives its record a new key, the next of the
 * whole file: keys order all commits of all processes, which is what watchers follow, and within one revision they are
 * the order written. '' as data: the JSON is in `chunk`.
 */
const tables = `
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  parent_id TEXT,
  project_id TEXT NOT NULL,
  directory TEXT NOT NULL,
  title TEXT NOT NULL,
  archived INTEGER NOT NULL
) STRICT;
CREATE INDEX session_child ON session (parent_id, id) WHERE parent_id IS NOT NULL;
CREATE INDEX session_root ON session (id) WHERE parent_id IS NULL;
CREATE INDEX session_directory ON session (directory, id);
CREATE INDEX session_project ON session (project_id, id);

CREATE TABLE record (
  key INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  part_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  data TEXT
) STRICT;
CREATE UNIQUE INDEX record_id ON record (session, message_id, part_id);
CREATE INDEX record_revision ON record (session, revision);

CREATE TABLE chunk (
  record INTEGER NOT NULL REFERENCES record (key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (record, position)
) STRICT;

CREATE TABLE removed_session (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL
) STRICT;

CREATE TABLE lease (
  session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
  owner TEXT,
  epoch INTEGER NOT NULL,
  ttl REAL NOT NULL,
  expires REAL NOT NULL,
  boot TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  process_start TEXT NOT NULL
) STRICT;

CREATE TABLE blob (
  id TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
`

/**
 * `blob` and `blob_piece` hold blobs in pieces: `whole` is 1 when all are there, 0 while they are being put, -1 when they
 * are garbage. Age counts by `uptime` within one boot and by `put`, milliseconds since 1970, from another.
 * Derived, behind the commits: `reference` (which record refers to which blob), the volumes of the search index, of which
 * each is an FTS5 table `search_<number>` with its words in `search_<number>_words`, and `session_size`. `progress` has the last key that each has taken in; rows
 * whose record is gone count for nothing. `quarantine` keeps what could not be read.
 * `moveBlobs` moves the rows of the old `blob`, a few at a time.
 */
const piecesAndDerived = `
ALTER TABLE blob RENAME TO blob_version_1;
CREATE TABLE blob (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  size INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  put REAL NOT NULL,
  boot TEXT NOT NULL,
  uptime REAL NOT NULL
) STRICT;
CREATE UNIQUE INDEX blob_id ON blob (id) WHERE whole = 1;
CREATE INDEX blob_rest ON blob (whole) WHERE whole <> 1;

CREATE TABLE blob_piece (
  blob INTEGER NOT NULL,
  position INTEGER NOT NULL,
  last INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (blob, position)
) STRICT;

ALTER TABLE removed_session ADD COLUMN session INTEGER;

CREATE TABLE progress (
  name TEXT PRIMARY KEY,
  key INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE reference (
  blob TEXT NOT NULL,
  record INTEGER NOT NULL,
  PRIMARY KEY (blob, record)
) STRICT, WITHOUT ROWID;

CREATE TABLE search_volume (
  number INTEGER PRIMARY KEY,
  words INTEGER NOT NULL
) STRICT;

CREATE TABLE search_session (
  session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
  volume INTEGER NOT NULL,
  PRIMARY KEY (session, volume)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_size (
  session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  session_bytes INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  message_bytes INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  part_bytes INTEGER NOT NULL
) STRICT;

CREATE TABLE quarantine (
  key INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  part_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  data BLOB NOT NULL,
  reason TEXT NOT NULL,
  time REAL NOT NULL
) STRICT;
`

/**
 * `removed_session` notifies watchers of removals. `rest` is 1 until all records of the session are deleted; these are
 * invisible, and the key is not reused before. `epoch` is the highest of all removed leases: leases of later sessions
 * start behind that of the newest row. `time`: milliseconds since 1970.
 */
const removals = `
ALTER TABLE removed_session ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE removed_session ADD COLUMN time REAL NOT NULL DEFAULT 0;
ALTER TABLE removed_session ADD COLUMN rest INTEGER NOT NULL DEFAULT 0;
CREATE INDEX removed_session_rest ON removed_session (session) WHERE rest = 1;
`

/** Each brings the file from the version of its index to the next. */
const migrations: readonly string[] = [tables, piecesAndDerived, removals]

/** "pawl" in ASCII: tells our file from another program's. */
const APPLICATION_ID = 0x7061776c

/** Creates or updates the tables. Writes nothing to a file of a newer version or of another program. */
export function ensureSchema(db: DatabaseSync, path: string): void {
  const known = migrations.length
  // In this order: tables that another process makes meanwhile come with their mark.
  if (hasTables(db) && readNumber(db, "application_id") !== APPLICATION_ID) throw foreignError(path)
  const version = readNumber(db, "user_version")
  if (version > known) throw newerError(path, version, known)
  if (version === 0) {
    // Both are fixed by the first table. README.md has the measurement behind the page size.
    db.exec("PRAGMA page_size = 1024; PRAGMA auto_vacuum = INCREMENTAL")
  }
  const { journal_mode: mode } = db.prepare("PRAGMA journal_mode = WAL").get() as { journal_mode: string }
  if (mode !== "wal") throw journalError(path)
  if (version < known) migrate(db, path)
}

/** Creates the tables in an empty database. */
export function createTables(db: DatabaseSync): void {
  for (const migration of migrations) db.exec(migration)
}

/** The newest tables in a file that cannot be brought up to date. */
export function requireSchema(db: DatabaseSync, path: string): void {
  if (readNumber(db, "application_id") !== APPLICATION_ID) throw foreignError(path)
  const version = readNumber(db, "user_version")
  if (version > migrations.length) throw newerError(path, version, migrations.length)
  if (version < migrations.length) throw olderError(path)
}

function migrate(db: DatabaseSync, path: string): void {
  db.exec("BEGIN IMMEDIATE")
  try {
    // Another process may have been first.
    const version = readNumber(db, "user_version")
    if (version > migrations.length) throw newerError(path, version, migrations.length)
    for (const migration of migrations.slice(version)) db.exec(migration)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`)
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK")
    throw error
  }
}

function readNumber(db: DatabaseSync, pragma: "user_version" | "application_id"): number {
  return Number(db.prepare(`PRAGMA ${pragma}`).get()?.[pragma])
}

export function hasTables(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined
}

function newerError(path: string, version: number, known: number): StorageError {
  return new StorageError(
    `${path} was written by a newer pawl (schema ${version}, this one knows ${known}). ` +
      "Update pawl, or use another data directory.",
  )
}

function olderError(path: string): StorageError {
  return new StorageError(
    `${path} was written by an older pawl and cannot be brought up to date, since it cannot be written. ` +
      "Give this user the right to write the file and its directory, or copy it to where that is allowed.",
  )
}

function foreignError(path: string): StorageError {
  return new StorageError(`${path} is another program's database. Use another file or data directory.`)
}

function journalError(path: string): StorageError {
  return new StorageError(
    `The file system of ${path} cannot share a write-ahead log between processes, as network file systems cannot. ` +
      "Use a data directory on a local disk.",
  )
}
