import { closeSync, fsyncSync, openSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes a new name durable: what was just made or renamed at `path` survives a power cut. Windows does it by itself, and
 * lets nobody open a directory; where a directory cannot be read, or a file system syncs none, the system's own time has
 * to do.
 */
export function syncParent(path: string): void {
  if (process.platform === "win32") return
  const directory = openToRead(dirname(path))
  if (directory === undefined) return
  try {
    fsyncSync(directory)
  } catch (error) {
    if (!isOneOf(error, ["EINVAL", "ENOTSUP", "EPERM"])) throw error
  } finally {
    closeSync(directory)
  }
}

function openToRead(directory: string): number | undefined {
  try {
    return openSync(directory, "r")
  } catch (error) {
    if (isOneOf(error, ["EACCES"])) return undefined
    throw error
  }
}

function isOneOf(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(String((error as NodeJS.ErrnoException).code))
}
