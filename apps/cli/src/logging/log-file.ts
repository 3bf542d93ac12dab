import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs"
import { join } from "node:path"

/** Of one file, in bytes. */
const MOST_BYTES = 5_000_000
/** The one that is written to, and older ones. */
const FILES = 5
/** A turn takes less: whoever took it is gone. In milliseconds. */
const STALE = 60_000

export interface LogFileLimits {
  readonly mostBytes?: number
  readonly files?: number
}

/** Where the log is, below the data directory. */
export function logFile(directory: string): string {
  return join(directory, "log", "pawl.log")
}

/**
 * Appends whole lines to the log below a data directory, for this user alone to read; of several processes none gets into
 * another one's line. Files that are full become `pawl.log.1`, `.2` and so on; the oldest goes. Never throws: a log that
 * cannot be written stops no work. Makes no data directory: where there is none, nothing is kept.
 *
 * In one go, without waiting: it is called between other things, and when the process ends.
 */
export function appendLog(
  directory: string,
  text: string,
  { mostBytes = MOST_BYTES, files = FILES }: LogFileLimits = {},
) {
  const file = logFile(directory)
  try {
    if (sizeOf(file) >= mostBytes) turn(file, { mostBytes, files })
    append(file, text)
  } catch {
    // Neither a full disk nor a directory that may not be written is a reason to end.
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

/** Another process may come first. */
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

/** Who comes second leaves it to the first, and writes on to the file there is. */
function turn(file: string, { mostBytes, files }: Required<LogFileLimits>): void {
  const lock = `${file}.turning`
  if (!taken(lock)) return
  try {
    // Somebody else may have done it before the lock was taken.
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
    if (since !== undefined && Date.now() - since > STALE) rmSync(lock, { force: true })
    return false
  }
}
