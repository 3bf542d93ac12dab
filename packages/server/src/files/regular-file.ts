import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { holdDirectory, MovedDirectoryError } from "@pawl/held-directory"
import { RequestError, type RequestPart } from "../request-error.ts"

const MAX_BYTES = 32 * 1024 * 1024

/**
 * Reads a file. Throws RequestError unless it is a regular file of limited size. Rejects with the system's error if it
 * cannot be opened.
 */
export async function readRegularFile(path: string, part: RequestPart): Promise<Buffer> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  return readOpened(path, part, await open(path, flags))
}

/**
 * Like `readRegularFile` for a checked real path. Does not follow a link that has replaced the file or a parent
 * directory since the check.
 */
export async function readJudgedFile(path: string, part: RequestPart): Promise<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  try {
    using held = holdDirectory(dirname(path))
    return await readOpened(path, part, await held.open(basename(path), flags))
  } catch (error) {
    const isLink = error instanceof Error && "code" in error && error.code === "ELOOP"
    if (!isLink && !(error instanceof MovedDirectoryError)) throw error
    throw new RequestError(part, `${path} leads elsewhere by now. Ask for it again.`)
  }
}

async function readOpened(path: string, part: RequestPart, file: FileHandle): Promise<Buffer> {
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new RequestError(part, `${path} is not a regular file.`)
    if (found.size > MAX_BYTES) {
      throw new RequestError(part, `${path} has ${found.size} bytes. Name a file of at most ${MAX_BYTES}.`)
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}
