import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@pawl/core/storage"
import { syncParent } from "@pawl/storage-kit"

/**
 * Creates missing directories with mode 0700 and a missing file with 0600. SQLite gives its companion files the same
 * mode. Existing files and directories keep their mode.
 */
export function ensureDatabaseFile(path: string): void {
  ensureDirectoryOf(path)
  try {
    // Opens only a new file. Closing an existing one would drop the POSIX locks that another connection of this process
    // holds on it.
    closeSync(openSync(path, "ax", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) {
      throw new StorageError(`${path} is a directory. Name a file in it, such as ${path}/pawl.db.`, { cause: error })
    }
    // A link to a missing file, which SQLite would create readable for all users.
    if (!found) closeSync(openSync(path, "a", 0o600))
  }
}

export function ensureDirectoryOf(path: string): void {
  ensureDirectory(dirname(path))
}

/** Does not use `recursive`, because Node retries forever below /proc, where mkdir fails with ENOENT. */
function ensureDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(directory) !== directory) ensureDirectory(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
    // Without this, a power cut could remove the directory with all of its commits.
    syncParent(directory)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
