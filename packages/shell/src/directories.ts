import { posix } from "node:path"
import type { Notes } from "./notes.ts"

/** Possible working directories of a command: relative to its start, absolute, or in `~/`. Undefined if unknown. */
export type Directories = readonly string[] | undefined

export const START: Directories = ["."]

const MAX_DIRECTORIES = 8

/** In characters. Longer paths count as unknown. */
const MAX_PATH = 1024

/** Returns the union of two alternatives. */
export function either(one: Directories, other: Directories): Directories {
  if (!one || !other) return undefined
  const all = [...new Set([...one, ...other])]
  return all.length > MAX_DIRECTORIES ? undefined : all
}

export function isAnchored(path: string): boolean {
  return path.startsWith("/") || path === "~" || path.startsWith("~/")
}

/** Returns the directories to which `cd` may lead; undefined if the current one is unknown. */
export function moved(path: string, directories: Directories): Directories {
  if (isAnchored(path)) return [atHome(path, posix.normalize(path))]
  if (directories?.some((directory) => directory.length + path.length > MAX_PATH)) return undefined
  return directories?.map((directory) =>
    relativeTo(directory, atHome(`${directory}/${path}`, posix.join(directory, path))),
  )
}

/** Keeps a path that leads out of the home directory unchanged, because only the file system knows its parent. */
function atHome(path: string, normal: string): string {
  return path.startsWith("~") && !/^~(?:\/|$)/.test(normal) ? path : normal
}

/** Like `moved`; records the last directory, which is entered if all earlier changes succeed. */
export function enter(path: string, directories: Directories, notes: Notes): Directories {
  const found = moved(path, directories)
  const last = found?.at(-1)
  if (last !== undefined) notes.entered.add(last)
  return found
}

/**
 * Returns the paths that a file name may mean; undefined if the directory is unknown. Keeps `..`, because behind a
 * symbolic link it leaves the link's target, which only the file system knows. Only `cd` returns to the parent of the
 * link itself.
 */
export function resolved(path: string, directories: Directories): readonly string[] | undefined {
  const plain = path.replaceAll(/\/(?:\.?\/)+/g, "/").replace(/^(?:\.\/)+(?=.)/, "")
  if (isAnchored(path)) return [plain]
  return directories?.map((directory) => relativeTo(directory, directory === "." ? plain : `${directory}/${plain}`))
}

/** A file whose name begins with a tilde is not in the home directory. */
function relativeTo(directory: string, path: string): string {
  return path.startsWith("~") && !isAnchored(directory) ? `./${path}` : path
}
