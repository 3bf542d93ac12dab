import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs"
import { join } from "node:path"

/** Maximum size of a file. */
const MAX_BYTES = 5_000_000
/** Number of files: the current one and older ones. */
const FILES = 5
/** Milliseconds after which a lock is abandoned. Rotating the files takes less. */
const LOCK_MAX_AGE_MS = 60_000

export interface LogFileLimits {
  readonly mostBytes?: number
  readonly files?: number
}

/** Returns the log file below the data directory. */
export function logFile(directory: string): string {
  return join(directory, "log", "pawl.log")
}

/**
 * Appends whole lines to the log, which only the user can read. Lines of several processes do not mix. Full files
 * become `pawl.log.1`, `.2` and so on; the oldest is removed. Never throws, because a log must not stop other work.
 * Does not create the data directory; without it nothing is logged.
 *
 * Synchronous, so that it also works when the process exits.
 */
export function appendLog(
  directory: string,
  text: string,
  { mostBytes = MAX_BYTES, files = FILES }: LogFileLimits = {},
) {
  const file = logFile(directory)
  try {
    if (sizeOf(file) >= mostBytes) turn(file, { mostBytes, files })
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

/** Another process may create it first. */
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

/** Rotates the files. If another process does so at the same time, this one continues with the current file. */
function turn(file: string, { mostBytes, files }: Required<LogFileLimits>): void {
  const lock = `${file}.turning`
  if (!taken(lock)) return
  try {
    // Another process may have rotated the files before the lock was taken.
    if (sizeOf(file) < mostBytes) return
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
    if (since !== undefined && Date.now() - since > LOCK_MAX_AGE_MS) rmSync(lock, { force: true })
    return false
  }
}
