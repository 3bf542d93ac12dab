import { closeSync, fsyncSync, openSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes a created or renamed `path` survive a power cut. Does nothing on Windows, which needs no sync and cannot open
 * directories. Ignores directories that cannot be read, and file systems without directory sync.
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
