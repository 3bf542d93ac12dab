import { basename } from "node:path"
import { StorageError } from "@pawl/core/storage"
import { diskState } from "@pawl/storage-kit"

// https://www.sqlite.org/rescode.html: the low byte of an extended code is its primary code.
const BUSY = 5
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const TOOBIG = 18
const NOTADB = 26
const DENIED = new Set([3, 8, 14, 23]) // PERM READONLY CANTOPEN AUTH
const DENIED_BY_SYSTEM = new Set(["EACCES", "EPERM", "EROFS"])
const FULL_BY_SYSTEM = new Set(["ENOSPC", "EDQUOT"])
const INPUT_OUTPUT = new Set([10, 15, 22]) // IOERR PROTOCOL NOLFS

interface SystemError extends Error {
  /** SQLite's extended result code. */
  readonly errcode?: number
  /** The system's name of the failure, such as `EACCES`, or Node's own, such as `ERR_INVALID_ARG_TYPE`. */
  readonly code?: unknown
}

export const busyCode = BUSY

/** Returns true if another process holds a lock. Retry then. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === BUSY
}

/** Returns true if SQLite cannot read the file as a database. */
export function isDamage(error: unknown): boolean {
  return [CORRUPT, NOTADB].includes(primaryCode(error) ?? 0)
}

/** Creates an error like one of SQLite, for damage that SQLite does not detect. */
export function damageError(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { errcode: CORRUPT })
}

/**
 * Returns true if the disk or the system refused a write, because of missing space, a missing right or a fault. Stored
 * records may still be readable. Also true for a StorageError with such a cause.
 */
export function isUnwritable(error: unknown): boolean {
  const { cause } = (error ?? {}) as Partial<Error>
  if (error instanceof StorageError) return cause !== undefined && isUnwritable(cause)
  const [sqlite = 0, system = ""] = [primaryCode(error), systemCode(error)]
  return (
    sqlite === FULL ||
    DENIED.has(sqlite) ||
    INPUT_OUTPUT.has(sqlite) ||
    DENIED_BY_SYSTEM.has(system) ||
    FULL_BY_SYSTEM.has(system) ||
    system === "EIO"
  )
}

/** Returns true if SQLite could not create or extend the shared index of the write-ahead log. */
export function lacksSharedIndex(error: unknown): boolean {
  return [CANTOPEN, IOERR].includes(primaryCode(error) ?? 0)
}

export function damageHeldError(path: string, cause: unknown): StorageError {
  const reason = (cause as Error).message
  return new StorageError(
    `${path} is damaged (${reason}) and other processes have it open. End them and run the same command again: it will be recovered.`,
    { cause },
  )
}

export function busyError(path: string, waited: number, cause: unknown): StorageError {
  const seconds = (waited / 1000).toFixed(waited < 1000 ? 1 : 0)
  return new StorageError(
    `Another process holds a write lock on ${path}, for ${seconds} s now. ` +
      "Wait for it or end it, then run the same command again; nothing was written.",
    { cause },
  )
}

export function closedError(location: string): StorageError {
  return new StorageError(`The storage ${location} is closed. Open it again to go on.`)
}

/**
 * Converts errors of SQLite and of the system to a StorageError with path and next step. Returns any other error as it
 * is.
 */
export function toStorageError(error: unknown, path: string): Error {
  const { message = String(error) } = error as Partial<Error>
  const [sqlite, system] = [primaryCode(error), systemCode(error)]
  if (error instanceof Error && sqlite === undefined && system === undefined) return error
  return new StorageError(explain(path, message, sqlite, system), { cause: error })
}

function explain(path: string, message: string, sqlite: number | undefined, system: string | undefined): string {
  const isRefused = INPUT_OUTPUT.has(sqlite ?? 0) || DENIED.has(sqlite ?? 0)
  const disk = isRefused ? diskState(path) : undefined
  if (sqlite === FULL || FULL_BY_SYSTEM.has(system ?? "") || disk === "full") {
    return `The disk that holds ${path} is full. Free some space and try again: what was committed is there.`
  }
  if (sqlite === CORRUPT || sqlite === NOTADB) {
    // The newest commits are in the log. A log that is left behind would damage the file that replaces its own.
    const file = basename(path)
    return `${path} is damaged (${message}). It was left as it is. Move it away together with ${file}-wal and ${file}-shm, if they exist; then restore a backup or start with an empty storage.`
  }
  if (disk === "read-only" || system === "EROFS") {
    return `${path} cannot be opened for writing (${message}). Its disk is mounted read-only: mount it for writing, or use another data directory.`
  }
  if (DENIED.has(sqlite ?? 0) || DENIED_BY_SYSTEM.has(system ?? "")) {
    return `${path} cannot be opened for writing (${message}). Give this user the right to write the file and its directory, or use another data directory.`
  }
  if (INPUT_OUTPUT.has(sqlite ?? 0)) {
    return `${path} could not be read or written (${message}). Check the disk and its quota; on a network file system SQLite's locks do not work, so keep the data directory on a local disk.`
  }
  if (sqlite === TOOBIG) return `${path} cannot hold this (${message}): one record or blob may have 1 GB at most.`
  if (sqlite === undefined && system !== undefined) {
    return `${path} could not be made (${message}). Use another data directory.`
  }
  return `${path} could not be used: ${message}.`
}

function primaryCode(error: unknown): number | undefined {
  const code = (error as Partial<SystemError> | undefined)?.errcode
  return code === undefined ? undefined : code & 0xff
}

function systemCode(error: unknown): string | undefined {
  const code = (error as Partial<SystemError> | undefined)?.code
  return typeof code === "string" && !code.startsWith("ERR_") ? code : undefined
}
