import { lstat, stat } from "node:fs/promises"
import { homedir } from "node:os"
import { dirname, resolve } from "node:path"
import { type LineRange, splitLines } from "./mentions.ts"

/** A file that a prompt names. */
export interface FileMention {
  /** Absolute path. */
  readonly path: string
  readonly lines?: LineRange | undefined
}

/** Returns the file or directory of a mention, which may end in lines. Undefined if it does not exist. */
export async function fileMention(written: string, directory: string): Promise<FileMention | undefined> {
  const path = await existing(written, directory)
  if (path !== undefined) return { path }
  const { name, lines } = splitLines(written)
  const ranged = lines && (await existing(name, directory))
  return ranged === undefined ? undefined : { path: ranged, lines }
}

/**
 * Explains why nothing is attached for text that looks like a path. Undefined for other text, and for a file that can
 * be attached.
 */
export async function missingMention(written: string, directory: string): Promise<string | undefined> {
  const { name } = splitLines(written)
  if (name === "" || name.includes("\0")) return undefined
  const path = absolute(name, directory)
  if ((await existing(name, directory)) !== undefined) return undefined
  const found = await lstat(path).catch(() => undefined)
  if (found?.isSymbolicLink()) return `${path} is a link to a file that does not exist.`
  if (found) return `${path} is not a regular file or directory.`
  const isPath = /^(?:~|\.{0,2})\/|[^/]\.[A-Za-z]\w{0,9}$/.test(name) || (await isBelowDirectory(name, path))
  return isPath ? `there is no file ${path}.` : undefined
}

/** Distinguishes paths from names with a slash, such as @scope/package. */
async function isBelowDirectory(name: string, path: string): Promise<boolean> {
  return name.includes("/") && ((await stat(dirname(path)).catch(() => undefined))?.isDirectory() ?? false)
}

function absolute(written: string, directory: string): string {
  return written.startsWith("~/") ? resolve(homedir(), written.slice(2)) : resolve(directory, written)
}

async function existing(written: string, directory: string): Promise<string | undefined> {
  if (written === "" || written.includes("\0")) return undefined
  const path = absolute(written, directory)
  const found = await stat(path).catch(() => undefined)
  return found?.isFile() || found?.isDirectory() ? path : undefined
}
