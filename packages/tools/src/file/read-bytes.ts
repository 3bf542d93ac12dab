import { constants } from "node:fs/promises"
import type { HeldDirectory } from "@pawl/held-directory"
import { displayName } from "../display-name.ts"
import { isMissing } from "../paths.ts"
import { contentHash, type FileVersion } from "./file-times.ts"
import { inHeldParent } from "./held-parent.ts"

export interface FileBytes {
  readonly bytes: Buffer
  readonly version: FileVersion & { readonly hash: string }
  readonly mode: number
  readonly inode: number
}

// Without O_NONBLOCK, opening a named pipe would wait for its other end.
const READING = constants.O_RDONLY | constants.O_NONBLOCK

/** Tools hold the whole file in memory while they change it. */
export const MAX_CHANGED_BYTES = 10 * 1024 * 1024

/**
 * Reads a regular file at a real path; undefined if there is no file. Rejects if the file is larger than `maxBytes`, or
 * if the path leads through a link by now.
 */
export async function readBytes(path: string, maxBytes = MAX_CHANGED_BYTES): Promise<FileBytes | undefined> {
  try {
    return await inHeldParent(path, (held, name) => readIn(held, name, { shown: displayName(path), maxBytes }))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function readIn(
  held: HeldDirectory,
  name: string,
  { shown, maxBytes }: { readonly shown: string; readonly maxBytes: number },
): Promise<FileBytes> {
  const handle = await held.open(name, READING)
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) throw new Error(`${shown} is a directory, not a file.`)
    if (!stats.isFile()) throw new Error(`${shown} is not a regular file.`)
    if (stats.size > maxBytes) {
      throw new Error(
        `${shown} is too large for this tool (${stats.size} bytes, at most ${maxBytes}). Change it with bash, by sed or a script.`,
      )
    }
    const bytes = await handle.readFile()
    const version = { mtimeMs: stats.mtimeMs, size: bytes.length, hash: await contentHash(bytes) }
    return { bytes, version, mode: stats.mode & 0o7777, inode: stats.ino }
  } finally {
    await handle.close()
  }
}
