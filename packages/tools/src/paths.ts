import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { ToolInputError, type ToolLocation } from "@pawl/core/tool"
import { displayName } from "./display-name.ts"
import { hasCode, isMissing } from "./system-error.ts"

export { hasCode, isMissing } from "./system-error.ts"
import { uncached, type Once } from "./once.ts"

/** Same limit as Linux. */
const MAX_LINKS = 40
const MAX_PATH_BYTES = 4096

/** Resolves `path` against the workspace's directory. `~` is not expanded. */
export function resolvePath(path: string, workspace: ToolLocation): string {
  if (path.includes("\0")) {
    throw new ToolInputError(
      "The path contains a NUL character, which no file name can have. Give the path without it.",
    )
  }
  if (!path.isWellFormed()) {
    throw new ToolInputError(
      "The path contains half a character, which would be written as another name. Give the path without it.",
    )
  }
  return resolve(workspace.directory, path)
}

/**
 * Follows all symbolic links of an absolute path. A path that does not exist yet is resolved below its nearest existing
 * parent, so a dangling link leads where a write through it would go.
 */
export async function realTarget(path: string, once: Once = uncached): Promise<string> {
  return follow(checked(path), { path, left: MAX_LINKS, once })
}

/**
 * Resolves a path in the way the system does: `..` behind a link leaves the link's target. The last name is not
 * resolved. Use it for paths that another program opens, such as those in a command.
 */
export async function systemPath(directory: string, path: string, once: Once = uncached): Promise<string> {
  const walk = { path, left: MAX_LINKS, once }
  const start = follow(checked(directory), walk)
  const name = basename(checked(path))
  if (name === ".." || name === "." || name === "") return followNames(start, path, walk)
  return join(followNames(start, dirname(path), walk), name)
}

function checked(path: string): string {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw tooLong(path)
  return path
}

interface Walk {
  /** The requested path, for errors. */
  readonly path: string
  /** Links left for the whole walk. Dangling links can lead to each other many times. */
  left: number
  readonly once: Once
}

// Synchronous, because a command may name hundreds of files and awaiting each one takes longer than reading it.
function follow(path: string, walk: Walk): string {
  return walk.once(`target ${path}`, () => followName(path, walk))
}

function followName(path: string, walk: Walk): string {
  const parent = dirname(path)
  if (parent === path) return path
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) return join(follow(parent, walk), basename(path))
    return realpathSync.native(path)
  } catch (error) {
    if (hasCode(error, "ELOOP")) throw tooManyLinks(walk.path)
    if (hasCode(error, "ENAMETOOLONG")) throw tooLong(walk.path)
    if (!isMissing(error)) throw error
  }
  const start = follow(parent, walk)
  const link = linkAt(path)
  if (link === undefined) return join(start, basename(path))
  if (walk.left-- === 0) throw tooManyLinks(walk.path)
  return followNames(start, link, walk)
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Resolves one name at a time, because `..` after a link leaves the link's target. */
function followNames(start: string, names: string, walk: Walk): string {
  if (names === "." || names === "") return start
  const parent = dirname(names)
  if (parent === names) return names
  const at = walk.once(`names ${start}\0${parent}`, () => followNames(start, parent, walk))
  const name = basename(names)
  if (name === "..") return dirname(at)
  return name === "." ? at : follow(join(at, name), walk)
}

function tooLong(path: string): Error {
  return new Error(`${displayName(path.slice(0, 80))}... is longer than a path can be. Give a shorter one.`)
}

function tooManyLinks(path: string): Error {
  return new Error(`${displayName(path)} leads through too many symbolic links. Give the path of the file itself.`)
}

/** Both paths are absolute. A directory is within itself. */
export function isWithin(directory: string, path: string): boolean {
  const names = relative(directory, path)
  return names !== ".." && !names.startsWith(`..${sep}`) && !isAbsolute(names)
}

/** Formats a path for rules and titles: relative to `root`, with `/`, and `.` for the root itself. */
export function relativeName(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/") || "."
}
