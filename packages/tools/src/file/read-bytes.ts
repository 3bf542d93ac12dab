import { constants } from "node:fs/promises"
import type { HeldDirectory } from "@pawl/held-directory"
import { displayName } from "../display-name.ts"
import { isMissing } from "../paths.ts"
import { contentHash, type FileVersion } from "./file-times.ts"
import { inHeldParent } from "./held-parent.ts"

export interface FileBytes {
  readonly bytes: Buffer
  readonly version: FileVersion & { readonly hash: string }
  /** Permission bits. */
  readonly mode: number
  readonly inode: number
}

// Without O_NONBLOCK, opening a named pipe would wait for its other end.
const READING = constants.O_RDONLY | constants.O_NONBLOCK

/** What tools change is held in memory as a whole. */
export const MAX_CHANGED_BYTES = 10 * 1024 * 1024

/**
 * Reads a whole regular file at a real path; undefined where there is none. Rejects above `maxBytes`, and where the path
 * has come to lead through a link.
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
    const found = await handle.stat()
    if (found.isDirectory()) throw new Error(`${shown} is a directory, not a file.`)
    if (!found.isFile()) throw new Error(`${shown} is not a regular file.`)
    if (found.size > maxBytes) {
      throw new Error(
        `${shown} is too large for this tool (${found.size} bytes, at most ${maxBytes}). Change it with bash, by sed or a script.`,
      )
    }
    const bytes = await handle.readFile()
    const version = { mtimeMs: found.mtimeMs, size: bytes.length, hash: await contentHash(bytes) }
    return { bytes, version, mode: found.mode & 0o7777, inode: found.ino }
  } finally {
    await handle.close()
  }
}
