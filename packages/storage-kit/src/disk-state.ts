import { accessSync, constants, statfsSync } from "node:fs"
import { dirname } from "node:path"

/** In bytes. With less space left, adding a page to a file or an entry to a directory may fail. */
const MIN_FREE_BYTES = 64 * 1024

/** Returns why the disk of `path` accepts no writes. Undefined if it accepts them, or if the system does not say. */
export function diskState(path: string): "full" | "read-only" | undefined {
  const directory = dirname(path)
  try {
    const { bavail, bsize, files, ffree } = statfsSync(directory)
    if (isMountedReadOnly(directory)) return "read-only"
    return bavail * bsize < MIN_FREE_BYTES || (files > 0 && ffree === 0) ? "full" : undefined
  } catch {
    return undefined
  }
}

function isMountedReadOnly(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS"
  }
}
