import { existsSync } from "node:fs"
import { dirname, sep } from "node:path"

/** A file, or a directory with everything below it. It may not exist yet. */
export interface WatchedSource {
  /** Absolute. */
  readonly path: string
  /** Meaning for the caller, such as `plugin`, `tool`, `agent`, `config`. */
  readonly kind: string
  /** Returns true for files of a directory that count, by absolute path. Default: all. */
  readonly accepts?: (path: string) => boolean
}

const IGNORED = /[\\/](?:node_modules|\.git)(?:[\\/]|$)/
/** Files that editors write temporarily while saving. */
const TEMPORARY = /(?:~|\.sw[a-z]|\.tmp|\.crswap|[\\/]4913|[\\/]\.#[^\\/]*)$/

/** Returns the sorted kinds of the sources that a file belongs to. */
export function kindsOf(sources: readonly WatchedSource[], file: string): string[] {
  const kinds = sources
    .filter(
      ({ path, accepts }) =>
        file === path || (isBelow(file, path) && isWatched(file, path) && (accepts?.(file) ?? true)),
    )
    .map(({ kind }) => kind)
  return [...new Set(kinds)].toSorted()
}

/** Returns true if a path is a source, is inside of one, or leads to one. */
export function isRelevant(sources: readonly WatchedSource[], path: string): boolean {
  return sources.some(
    (source) =>
      path === source.path ||
      isBelow(source.path, path) ||
      (isBelow(path, source.path) && isWatched(path, source.path)),
  )
}

/** Returns the directories to watch so that new sources are noticed: the nearest existing parent of each source. */
export function watchRoots(sources: readonly WatchedSource[]): string[] {
  const roots = [...new Set(sources.map(({ path }) => nearest(dirname(path))))].toSorted()
  return roots.filter((root) => !roots.some((other) => other !== root && isBelow(root, other)))
}

function nearest(directory: string): string {
  const above = dirname(directory)
  return existsSync(directory) || above === directory ? directory : nearest(above)
}

function isBelow(path: string, directory: string): boolean {
  return path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}

function isWatched(path: string, source: string): boolean {
  const below = path.slice(source.length)
  return !IGNORED.test(below) && !TEMPORARY.test(below)
}
