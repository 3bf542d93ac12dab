import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { statOf } from "./file-state.ts"

export interface FilesBelowOptions {
  readonly maxFiles: number
  /** Largest sum of their sizes. Default: sizes are not read */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  /** Names of directories that are not entered. */
  readonly without?: ReadonlySet<string>
}

/**
 * Returns the files and links below a directory, breadth first. Does not follow links. Leaves out names that are not
 * UTF-8, because Node cannot open them by a string. `isPartial`: a limit was reached.
 */
export async function filesBelow(
  root: string,
  { maxFiles, maxBytes, signal, without }: FilesBelowOptions,
): Promise<{ readonly paths: readonly string[]; readonly isPartial: boolean }> {
  const paths: string[] = []
  const directories = [root]
  let bytes = 0
  for (let directory = directories.shift(); directory !== undefined; directory = directories.shift()) {
    for (const entry of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
      if (paths.length >= maxFiles || signal?.aborted) return { paths, isPartial: true }
      if (entry.name.includes("\u{FFFD}")) continue
      const path = join(directory, entry.name)
      if (entry.isDirectory() && !without?.has(entry.name)) directories.push(path)
      if (!entry.isFile() && !entry.isSymbolicLink()) continue
      if (maxBytes !== undefined) bytes += (await statOf(path))?.size ?? 0
      if (maxBytes !== undefined && bytes > maxBytes) return { paths, isPartial: true }
      paths.push(path)
    }
  }
  return { paths, isPartial: false }
}
