import { readlink, realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path"
import { ToolInputError, type ToolPlace } from "@pawl/core"

const MAX_LINKS = 40

/** Absolute and without `..`; relative to the place's directory. `~` is a name like any other. */
export function resolvePath(path: string, place: ToolPlace): string {
  if (path.includes("\0")) {
    throw new ToolInputError(
      "The path contains a NUL character, which no file name can have. Give the path without it.",
    )
  }
  return resolve(place.directory, path)
}

/**
 * Where an absolute path leads once all symbolic links are followed. What does not exist yet is placed below its nearest
 * existing parent, so that a link that dangles leads where a write through it would go.
 */
export async function realTarget(path: string, links = 0): Promise<string> {
  if (links > MAX_LINKS) throw new Error(`${path} leads through too many symbolic links.`)
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const parent = dirname(path)
  if (parent === path) return path
  const link = await readlink(path).catch(() => undefined)
  if (link !== undefined) return realTarget(resolve(await realTarget(parent, links), link), links + 1)
  return resolve(await realTarget(parent, links), basename(path))
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
