import { accessSync, constants, existsSync, statSync } from "node:fs"
import type { DatabaseSync, StatementSync } from "node:sqlite"
import type { Connection, ConnectionOptions } from "./connection.ts"
import { closedError, toStorageError } from "./errors.ts"
import { requireTables } from "./open-database.ts"
import { emptyFile, openReadable, type ReadableFile } from "./readable-file.ts"
import { retryWhileBusy } from "./retry.ts"
import { hasTables, requireSchema } from "./schema.ts"

/** Returns why an existing file cannot be written; undefined if it can, or is missing. */
export function writeProtection(path: string): Error | undefined {
  try {
    if (existsSync(path)) accessSync(path, constants.W_OK)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/**
 * Opens a file that cannot be written now: this process lacks a right, or the disk is full, mounted read-only or fails. Reads
 * create no file. A missing file is read as an empty one. Each write first tries `openWritable`, and rejects with its error; after it succeeds, all
 * work uses that connection.
 */
export async function openReadOnly(
  options: ConnectionOptions,
  openWritable: () => Promise<Connection>,
): Promise<Connection> {
  const { path } = options
  const location = `sqlite:${path}`
  const statements = new Map<string, StatementSync>()
  let file: ReadableFile | undefined
  let writable: Connection | undefined
  let reopening: Promise<Connection> | undefined
  let isClosing = false

  function current(): DatabaseSync {
    if (file && !file.isCurrent()) closeFile()
    file ??= openStored() ?? emptyFile()
    return file.db
  }

  /** Returns undefined for a missing file, or for one whose creation was interrupted. */
  function openStored(): ReadableFile | undefined {
    if (!statSync(path, { throwIfNoEntry: false })) return undefined
    let isEmpty = false
    const found = openReadable(path, (db) => {
      isEmpty = !hasTables(db)
      if (isEmpty) return
      requireSchema(db, path)
      requireTables(db)
    })
    if (!isEmpty) return found
    found.db.close()
    return undefined
  }

  function closeFile(): void {
    statements.clear()
    if (file?.db.isOpen) file.db.close()
    file = undefined
  }

  function statement(sql: string): StatementSync {
    if (writable) return writable.statement(sql)
    const known = statements.get(sql) ?? (file?.db ?? current()).prepare(sql)
    statements.set(sql, known)
    return known
  }

  function attempt<T>(work: () => T): T {
    const db = current()
    try {
      statement("BEGIN").run()
      const value = work()
      file?.requireUnchanged()
      return value
    } catch (error) {
      // The file may have changed during the read; only an unchanged file can be called damaged.
      file?.requireUnchanged()
      throw error
    } finally {
      if (db.isTransaction) statement("COMMIT").run()
      if (file?.access === "alone") closeFile()
    }
  }

  async function read<T>(how: "read" | "readMapped" | "inspect", work: () => T): Promise<T> {
    await reopening?.catch(() => undefined)
    if (isClosing) throw closedError(location)
    if (writable) return writable[how](work)
    return retryWhileBusy(options, () => {
      // Closed while this read waited for another process's lock.
      if (isClosing) throw closedError(location)
      return attempt(work)
    })
  }

  async function reopen(): Promise<Connection> {
    // Else closing it later would drop the locks that the new connection holds on the same file.
    closeFile()
    const protection = writeProtection(path)
    if (protection) throw toStorageError(protection, path)
    const opened = await openWritable()
    if (isClosing) await opened.close()
    return (writable = opened)
  }

  async function forWriting(): Promise<Connection> {
    if (isClosing) throw closedError(location)
    if (writable) return writable
    reopening ??= reopen().finally(() => (reopening = undefined))
    return reopening
  }

  await retryWhileBusy(options, () => attempt(() => undefined))

  return {
    path,
    location,
    statement,
    exec: (sql) => (writable ? writable.exec(sql) : current().exec(sql)),
    write: async (work) => (await forWriting()).write(work),
    writeWithoutCascades: async (work) => (await forWriting()).writeWithoutCascades(work),
    read: (work) => read("read", work),
    readMapped: (work) => read("readMapped", work),
    inspect: (work) => read("inspect", work),
    checkpoint: async () => (await forWriting()).checkpoint(),
    isClosing: () => isClosing,
    async close() {
      isClosing = true
      await reopening?.catch(() => undefined)
      closeFile()
      await writable?.close()
    },
  }
}
