import { lstatSync, rmdirSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** Returns the path if nothing is there, and the missing directories above it, deepest first. */
export function missingPaths(path: string): string[] {
  try {
    if (lstatSync(path, { throwIfNoEntry: false })) return []
  } catch {
    // It may be there.
    return []
  }
  return [path, ...missingPaths(dirname(path))]
}

/** Removes the empty directories among the paths, and the files of at most `maxBytes`. */
export function removeUnused(paths: readonly string[], maxBytes = 0): void {
  for (const path of paths) {
    try {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.isDirectory()) rmdirSync(path)
      else if (found && found.size <= maxBytes) rmSync(path)
    } catch {
      // Another process uses the directory.
    }
  }
}
