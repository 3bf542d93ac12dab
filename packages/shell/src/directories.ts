import { posix } from "node:path"
import type { Notes } from "./notes.ts"

/**
 * Where a command may find itself: directories relative to the one it starts in, absolute ones, or ones in `~/`.
 * Undefined where that cannot be told.
 */
export type Directories = readonly string[] | undefined

export const START: Directories = ["."]

const MAX = 8

/** In characters; a longer path is taken for one that is not known. */
const MAX_PATH = 1024

/** The place where either of two happened. */
export function either(one: Directories, other: Directories): Directories {
  if (!one || !other) return undefined
  const all = [...new Set([...one, ...other])]
  return all.length > MAX ? undefined : all
}

export function isAnchored(path: string): boolean {
  return path.startsWith("/") || path === "~" || path.startsWith("~/")
}

/** The directories that a `cd` there may lead to; undefined where the one it starts in is not known. */
export function moved(path: string, directories: Directories): Directories {
  if (isAnchored(path)) return [atHome(path, posix.normalize(path))]
  if (directories?.some((directory) => directory.length + path.length > MAX_PATH)) return undefined
  return directories?.map((directory) =>
    relativeTo(directory, atHome(`${directory}/${path}`, posix.join(directory, path))),
  )
}

/** What leads out of the home directory stays as it is written: only the file system knows what is above. */
function atHome(path: string, normal: string): string {
  return path.startsWith("~") && !/^~(?:\/|$)/.test(normal) ? path : normal
}

/** As `moved`; notes the directory that it leads to where the changes before it succeeded. */
export function enter(path: string, directories: Directories, notes: Notes): Directories {
  const found = moved(path, directories)
  const last = found?.at(-1)
  if (last !== undefined) notes.entered.add(last)
  return found
}

/**
 * The paths that the name of a file may mean; undefined where the directory is not known. `..` stays: behind a symbolic
 * link it leads out of where the link leads, which only the file system knows. `cd` alone takes it back before the link.
 */
export function resolved(path: string, directories: Directories): readonly string[] | undefined {
  const plain = path.replaceAll(/\/(?:\.?\/)+/g, "/").replace(/^(?:\.\/)+(?=.)/, "")
  if (isAnchored(path)) return [plain]
  return directories?.map((directory) => relativeTo(directory, directory === "." ? plain : `${directory}/${plain}`))
}

/** A file whose name begins with a tilde is not at home. */
function relativeTo(directory: string, path: string): string {
  return path.startsWith("~") && !isAnchored(directory) ? `./${path}` : path
}
