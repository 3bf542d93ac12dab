import { accessSync, constants, statfsSync } from "node:fs"
import { dirname } from "node:path"

/** In bytes. With less left, a file that must grow by a page or a directory by an entry may fail. */
const FULL_BELOW = 64 * 1024

/** Returns why the disk that holds `path` takes no more writes; undefined if it does, or if the system does not say. */
export function diskState(path: string): "full" | "read-only" | undefined {
  const directory = dirname(path)
  try {
    const { bavail, bsize, files, ffree } = statfsSync(directory)
    if (isMountedReadOnly(directory)) return "read-only"
    return bavail * bsize < FULL_BELOW || (files > 0 && ffree === 0) ? "full" : undefined
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
