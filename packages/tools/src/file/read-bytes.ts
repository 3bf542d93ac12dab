import { constants, open } from "node:fs/promises"
import { isMissing } from "../paths.ts"
import { contentHash, type FileVersion } from "./file-times.ts"

export interface FileBytes {
  readonly bytes: Buffer
  readonly version: FileVersion
}

/** Reads a whole regular file; undefined where there is none. Rejects above `maxBytes`. */
export async function readBytes(path: string, maxBytes: number): Promise<FileBytes | undefined> {
  // Without O_NONBLOCK, opening a named pipe would wait for its other end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const found = await handle.stat()
    if (found.isDirectory()) throw new Error(`${path} is a directory, not a file.`)
    if (!found.isFile()) throw new Error(`${path} is not a regular file.`)
    if (found.size > maxBytes) {
      throw new Error(
        `${path} is too large for this tool (${found.size} bytes, at most ${maxBytes}). Change it with bash, by sed or a script.`,
      )
    }
    const bytes = await handle.readFile()
    return { bytes, version: { mtimeMs: found.mtimeMs, size: bytes.length, hash: await contentHash(bytes) } }
  } finally {
    await handle.close()
  }
}
