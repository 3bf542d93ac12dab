import { existsSync } from "node:fs"
import { dirname, sep } from "node:path"

/** A file, or a directory with all below it, that need not be there yet. */
export interface WatchedSource {
  /** Absolute. */
  readonly path: string
  /** What it is to the caller, such as `plugin`, `tool`, `agent`, `config`. */
  readonly kind: string
  /** Which files of a directory count, by their absolute path. Absent: all. */
  readonly accepts?: (path: string) => boolean
}

const PASSED_OVER = /[\\/](?:node_modules|\.git)(?:[\\/]|$)/
/** What editors write beside a file while they save it. */
const TEMPORARY = /(?:~|\.sw[a-z]|\.tmp|\.crswap|[\\/]4913|[\\/]\.#[^\\/]*)$/

/** Kinds of the sources that a file belongs to, without repetition, sorted. */
export function kindsOf(sources: readonly WatchedSource[], file: string): string[] {
  const kinds = sources
    .filter(
      ({ path, accepts }) =>
        file === path || (isBelow(file, path) && isWatched(file, path) && (accepts?.(file) ?? true)),
    )
    .map(({ kind }) => kind)
  return [...new Set(kinds)].toSorted()
}

/** Whether a path is a source, lies in one, or leads to one. */
export function isRelevant(sources: readonly WatchedSource[], path: string): boolean {
  return sources.some(
    (source) =>
      path === source.path ||
      isBelow(source.path, path) ||
      (isBelow(path, source.path) && isWatched(path, source.path)),
  )
}

/** The directories to begin at so that a source is seen when it appears: the nearest that is there, above each. */
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
  return !PASSED_OVER.test(below) && !TEMPORARY.test(below)
}
