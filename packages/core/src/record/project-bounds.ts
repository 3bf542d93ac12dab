import { dirname, isAbsolute, relative, sep } from "node:path"

/** All paths are absolute, with links resolved. */
export interface ProjectBounds {
  /** The worktree and the session's directory. */
  readonly roots: readonly string[]
  readonly home: string
}

/**
 * Returns whether a real path belongs to a project. The root of a file system is not a project. If a root is or
 * contains the home directory, hidden names down to the entries of the home directory do not belong to the project:
 * programs keep keys and settings there.
 */
export function isInProject(path: string, { roots, home }: ProjectBounds): boolean {
  return roots.some((root) => {
    const way = wayBelow(root, path)
    if (way === undefined || isFileSystemRoot(root)) return false
    return !way.slice(0, hiddenLevels(root, home)).some(isHidden)
  })
}

/**
 * Returns the number of levels below a root on which hidden names do not belong to the project: 0 unless the root is or
 * contains the home directory.
 */
export function hiddenLevels(root: string, home: string): number {
  const way = wayBelow(root, home)
  return way === undefined || isFileSystemRoot(root) ? 0 : way.length + 1
}

export function isFileSystemRoot(path: string): boolean {
  return dirname(path) === path
}

/** Returns the names between a directory and a path below it; undefined for a path elsewhere. */
function wayBelow(directory: string, path: string): readonly string[] | undefined {
  const names = relative(directory, path)
    .split(sep)
    .filter((name) => name !== "")
  return names[0] === ".." || isAbsolute(relative(directory, path)) ? undefined : names
}

function isHidden(name: string): boolean {
  return name.startsWith(".")
}
