import { closeSync, fsyncSync, openSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes a new name durable: what was just made or renamed at `path` survives a power cut. Windows does it by itself, and
 * lets nobody open a directory; where the directory may be written and not read, the system's own time has to do.
 */
export function syncParent(path: string): void {
  if (process.platform === "win32") return
  const directory = openToRead(dirname(path))
  if (directory === undefined) return
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

function openToRead(directory: string): number | undefined {
  try {
    return openSync(directory, "r")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") return undefined
    throw error
  }
}
