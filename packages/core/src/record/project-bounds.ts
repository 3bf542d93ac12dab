import { dirname, isAbsolute, relative, sep } from "node:path"

/** All absolute, links resolved. */
export interface ProjectBounds {
  /** The worktree and the session's directory. */
  readonly roots: readonly string[]
  readonly home: string
}

/**
 * Returns whether a real path belongs to a project. The root of a file system is no project. In a project that is the home
 * directory, or holds it, what is hidden does not belong to it: programs keep keys and their settings there.
 */
export function isInProject(path: string, { roots, home }: ProjectBounds): boolean {
  return roots.some((root) => {
    const way = wayBelow(root, path)
    if (way === undefined || isFileSystemRoot(root)) return false
    return !way.slice(0, hiddenLevels(root, home)).some(isHidden)
  })
}

/** Returns on how many levels below a root hidden names do not belong to the project: 0 unless it holds the home directory. */
export function hiddenLevels(root: string, home: string): number {
  const way = wayBelow(root, home)
  return way === undefined || isFileSystemRoot(root) ? 0 : way.length + 1
}

export function isFileSystemRoot(path: string): boolean {
  return dirname(path) === path
}

/** The names between a directory and what is below it; undefined for a path elsewhere. */
function wayBelow(directory: string, path: string): readonly string[] | undefined {
  const names = relative(directory, path)
    .split(sep)
    .filter((name) => name !== "")
  return names[0] === ".." || isAbsolute(relative(directory, path)) ? undefined : names
}

function isHidden(name: string): boolean {
  return name.startsWith(".")
}
