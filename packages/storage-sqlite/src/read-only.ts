import { accessSync, constants, existsSync, statSync } from "node:fs"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import type { Connection, ConnectionOptions } from "./connection.ts"
import { closedError, toStorageError } from "./errors.ts"
import { loadSqlite } from "./node-sqlite.ts"
import { requireTables } from "./open-database.ts"
import { retryWhileBusy } from "./retry.ts"
import { requireSchema } from "./schema.ts"

/** Why the file, which is there, may not be written; undefined when it may, or is missing. */
export function writeProtection(path: string): Error | undefined {
  try {
    if (existsSync(path)) accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/**
 * A file that this process may read and not write, or in whose directory it may make no file. Nothing is made beside it.
 * Writes reject with what `cause` says.
 */
export async function openReadOnly(options: ConnectionOptions, cause: unknown): Promise<Connection> {
  const { path } = options
  const location = `sqlite:${path}`
  const statements = new Map<string, StatementSync>()
  let opened = await retryWhileBusy(options, () => open(path))
  let isClosing = false

  function statement(sql: string): StatementSync {
    const known = statements.get(sql) ?? opened.db.prepare(sql)
    statements.set(sql, known)
    return known
  }

  /** What was opened as unchanging is opened again when it has changed. */
  function refresh(): void {
    if (!opened.isUnchanging || stateOf(path) === opened.state) return
    const next = open(path)
    opened.db.close()
    statements.clear()
    opened = next
  }

  async function read<T>(work: () => T): Promise<T> {
    if (isClosing) throw closedError(location)
    return retryWhileBusy(options, () => {
      // Closed while this read waited for another process's lock.
      if (isClosing) throw closedError(location)
      refresh()
      statement("BEGIN").run()
      try {
        return work()
      } finally {
        if (opened.db.isTransaction) statement("COMMIT").run()
      }
    })
  }

  // oxlint-disable-next-line typescript/require-await -- rejects instead of throwing
  async function refuse(): Promise<never> {
    throw isClosing ? closedError(location) : toStorageError(cause, path)
  }

  return {
    path,
    location,
    statement,
    exec: (sql) => opened.db.exec(sql),
    write: refuse,
    writeWithoutCascades: refuse,
    read,
    readMapped: read,
    inspect: read,
    checkpoint: refuse,
    isClosing: () => isClosing,
    close() {
      isClosing = true
      if (opened.db.isOpen) opened.db.close()
      return Promise.resolve()
    },
  }
}

interface Opened {
  readonly db: DatabaseSync
  readonly isUnchanging: boolean
  readonly state: string
}

function open(path: string): Opened {
  const state = stateOf(path)
  const { location, isUnchanging } = readableLocation(path)
  const { DatabaseSync } = loadSqlite()
  const db = new DatabaseSync(location, { readOnly: true, timeout: 5 })
  try {
    requireSchema(db, path)
    requireTables(db)
    return { db, isUnchanging, state }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Without a log nobody has the file open: SQLite reads it as one that does not change, which makes no file beside it.
 * With a log whoever writes it has made what a reader needs.
 */
export function readableLocation(path: string): { location: string | URL; isUnchanging: boolean } {
  if (hasLogFile(path)) return { location: path, isUnchanging: false }
  const location = pathToFileURL(path)
  location.search = "mode=ro&immutable=1"
  return { location, isUnchanging: true }
}

function stateOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs, hasLogFile(path)].join(" ")
}

/** An empty one, too, is of somebody who has the file open. */
function hasLogFile(path: string): boolean {
  return existsSync(`${path}-wal`)
}
