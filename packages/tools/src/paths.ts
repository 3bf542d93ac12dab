import { lstatSync, readlinkSync, realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { ToolInputError, type ToolPlace } from "@pawl/core/tool"
import { displayName } from "./display-name.ts"
import { hasCode, isMissing } from "./system-error.ts"

export { hasCode, isMissing } from "./system-error.ts"
import { always, type Once } from "./once.ts"

/** As many as the system follows itself. */
const MAX_LINKS = 40
const MAX_PATH_BYTES = 4096

/** Absolute and without `..`; relative to the place's directory. `~` is a name like any other. */
export function resolvePath(path: string, place: ToolPlace): string {
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
  return resolve(place.directory, path)
}

/**
 * Where an absolute path leads once all symbolic links are followed. What does not exist yet is placed below its nearest
 * existing parent, so that a link that dangles leads where a write through it would go.
 */
export async function realTarget(path: string, once: Once = always): Promise<string> {
  return follow(checked(path), { path, left: MAX_LINKS, once })
}

/**
 * The absolute path that the system itself makes of one that is relative to `directory`: there `..` behind a link leads
 * out of where the link leads, not back before it. The last name stays as it is given. For paths that another program
 * will open as they stand, such as those in a command.
 */
export async function systemPath(directory: string, path: string, once: Once = always): Promise<string> {
  const walk = { path, left: MAX_LINKS, once }
  const start = follow(checked(directory), walk)
  const name = basename(checked(path))
  if (name === ".." || name === "." || name === "") return followWay(start, path, walk)
  return join(followWay(start, dirname(path), walk), name)
}

function checked(path: string): string {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw tooLong(path)
  return path
}

interface Walk {
  /** Asked for. */
  readonly path: string
  /** Links that may still be followed, in the whole walk: links that dangle can lead to each other many times over. */
  left: number
  readonly once: Once
}

// Without waiting for each: a command may name hundreds of files, and most of the time would be waiting.
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
  return followWay(start, link, walk)
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** Name by name, since `..` behind a link leads out of where that link leads. */
function followWay(start: string, way: string, walk: Walk): string {
  if (way === "." || way === "") return start
  const parent = dirname(way)
  if (parent === way) return way
  const at = walk.once(`way ${start}\0${parent}`, () => followWay(start, parent, walk))
  const name = basename(way)
  if (name === "..") return dirname(at)
  return name === "." ? at : follow(join(at, name), walk)
}

function tooLong(path: string): Error {
  return new Error(`${displayName(path.slice(0, 80))}... is longer than a path can be. Give a shorter one.`)
}

function tooManyLinks(path: string): Error {
  return new Error(`${displayName(path)} leads through too many symbolic links. Give the path of the file itself.`)
}

/** Both absolute. A directory is within itself. */
export function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The path as rules and titles name it: relative to `root`, with `/`, and `.` for the root itself. */
export function relativeName(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, "/") || "."
}
