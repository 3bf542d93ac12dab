import { posix } from "node:path"

/**
 * Where a command may find itself: directories relative to the one it starts in, absolute ones, or ones in `~/`.
 * Undefined where that cannot be told.
 */
export type Directories = readonly string[] | undefined

export const START: Directories = ["."]

const MAX = 8

/** The place where either of two happened. */
export function either(one: Directories, other: Directories): Directories {
  if (!one || !other) return undefined
  const all = [...new Set([...one, ...other])]
  return all.length > MAX ? undefined : all
}

export function isAnchored(path: string): boolean {
  return path.startsWith("/") || path === "~" || path.startsWith("~/")
}

/** The paths that a name may mean; undefined where the directory is not known. */
export function resolved(path: string, directories: Directories): readonly string[] | undefined {
  if (isAnchored(path)) return [posix.normalize(path)]
  return directories?.map((directory) => {
    const joined = posix.join(directory, path)
    // A file whose name begins with a tilde is not at home.
    return joined.startsWith("~") && !isAnchored(directory) ? `./${joined}` : joined
  })
}
