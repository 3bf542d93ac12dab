import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@pawl/core/storage"
import { syncParent } from "@pawl/storage-kit"

/**
 * Makes sure that there is a file to open: missing directories are made with 0700, a missing file with 0600 (SQLite
 * gives its companion files the same rights). What exists keeps its rights.
 */
export function ensureDatabaseFile(path: string): void {
  ensureDirectoryOf(path)
  try {
    // Only ever a new file: closing an existing one would drop the POSIX locks that another connection of this process
    // holds on it.
    closeSync(openSync(path, "ax", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) {
      throw new StorageError(`${path} is a directory. Name a file in it, such as ${path}/pawl.db.`, { cause: error })
    }
    // A link to a file that is still missing: SQLite would make it for everybody to read.
    if (!found) closeSync(openSync(path, "a", 0o600))
  }
}

export function ensureDirectoryOf(path: string): void {
  ensureDirectory(dirname(path))
}

/** Not `recursive`: below /proc, where making a directory says ENOENT, Node would try for ever. */
function ensureDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(directory) !== directory) ensureDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
    // Else a power cut takes the directory with all that was committed in it.
    syncParent(directory)
  } catch (error) {
    // Another process may have made it just now.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
