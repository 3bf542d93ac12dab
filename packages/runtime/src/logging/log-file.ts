import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs"
import { join } from "node:path"

/** Size of a full file. */
const MAX_BYTES = 5_000_000
/** Number of files: the current one, and older ones. */
const FILES = 5
/** Age of a lock whose process has ended, in milliseconds. */
const STALE_MS = 60_000

export interface LogFileLimits {
  readonly maxBytes?: number
  readonly files?: number
}

/** Returns the path of the log below a data directory. */
export function logFile(directory: string): string {
  return join(directory, "log", "pawl.log")
}

/**
 * Appends whole lines to the log below a data directory, readable by the user alone. Lines of several processes stay whole. A
 * full file becomes `pawl.log.1`, `.2` and so on, and the oldest is deleted. Never throws, because a log that cannot be written
 * must not stop the work. Does nothing if the data directory is missing.
 *
 * Synchronous, because it is also called when the process ends.
 */
export function appendLog(
  directory: string,
  text: string,
  { maxBytes = MAX_BYTES, files = FILES }: LogFileLimits = {},
) {
  const file = logFile(directory)
  try {
    if (sizeOf(file) >= maxBytes) rotate(file, { maxBytes, files })
    append(file, text)
  } catch {
    // A full disk or a read-only directory must not end the program.
  }
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text, { mode: 0o600 })
  } catch {
    makeDirectory(join(file, ".."))
    appendFileSync(file, text, { mode: 0o600 })
  }
}

/** Accepts a directory that another process has made meanwhile. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Renames the files. Does nothing if another process is doing it. */
function rotate(file: string, { maxBytes, files }: Required<LogFileLimits>): void {
  const lock = `${file}.turning`
  if (!taken(lock)) return
  try {
    // Another process may have done it before the lock was taken.
    if (sizeOf(file) < maxBytes) return
    for (let number = files - 1; number > 0; number--) {
      const from = number === 1 ? file : `${file}.${number - 1}`
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${file}.${number}`)
    }
  } finally {
    unlinkSync(lock)
  }
}

function taken(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600))
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > STALE_MS) rmSync(lock, { force: true })
    return false
  }
}
