import { readlink, realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path"
import { ToolInputError, type ToolPlace } from "@pawl/core"
import { displayName } from "./display-name.ts"
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
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw tooLong(path)
  return follow(path, { path, left: MAX_LINKS, once })
}

/**
 * The absolute path that the system itself makes of one that is relative to `directory`: there `..` behind a link leads
 * out of where the link leads, not back before it. The last name stays as it is given. For paths that another program
 * will open as they stand, such as those in a command.
 */
export async function systemPath(directory: string, path: string, once: Once = always): Promise<string> {
  const start = await realTarget(directory, once)
  const walk = { path, left: MAX_LINKS, once }
  const name = basename(path)
  if (name === ".." || name === "." || name === "") return followLink(start, path, walk)
  return join(await followLink(start, dirname(path), walk), name)
}

interface Walk {
  /** Asked for. */
  readonly path: string
  /** Links that may still be followed, in the whole walk: links that dangle can lead to each other many times over. */
  left: number
  readonly once: Once
}

async function follow(path: string, walk: Walk): Promise<string> {
  const { once } = walk
  try {
    return await once(`realpath ${path}`, () => realpath(path))
  } catch (error) {
    if (hasCode(error, "ELOOP")) throw tooManyLinks(walk.path)
    if (hasCode(error, "ENAMETOOLONG")) throw tooLong(walk.path)
    if (!isMissing(error)) throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const start = await follow(parent, walk)
  const link = await once(`readlink ${path}`, () => readlink(path).catch(() => undefined))
  if (link === undefined) return resolve(start, basename(path))
  if (walk.left-- === 0) throw tooManyLinks(walk.path)
  return followLink(start, link, walk)
}

/** Name by name, since `..` behind a link leads out of where that link leads. */
async function followLink(start: string, link: string, walk: Walk): Promise<string> {
  let at = isAbsolute(link) ? parse(link).root : start
  for (const name of link.slice(isAbsolute(link) ? at.length : 0).split(sep)) {
    if (name === "..") at = dirname(at)
    else if (name !== "" && name !== ".") at = await follow(join(at, name), walk)
  }
  return at
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

export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR")
}

/** Is it a system error with one of these codes? */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code))
}
