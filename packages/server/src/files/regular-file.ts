import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { holdDirectory, MovedDirectoryError } from "@pawl/held-directory"
import { RequestError, type RequestPart } from "../request-error.ts"

const MOST_BYTES = 32 * 1024 * 1024

/**
 * What a file holds. Throws RequestError for what is no file of usual size: a directory, a pipe that nobody writes to, a
 * device without an end. Rejects with the system's error where it cannot be opened.
 */
export async function readRegularFile(path: string, part: RequestPart): Promise<Buffer> {
  // Opening a pipe would otherwise wait for somebody who writes to it.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  return readOpened(path, part, await open(path, flags))
}

/**
 * The same of a real path that was judged: nothing else is read if a directory on the way, or the file itself, has become a
 * link meanwhile.
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
    if (!found.isFile()) throw new RequestError(part, `${path} is no file.`)
    if (found.size > MOST_BYTES) {
      throw new RequestError(part, `${path} has ${found.size} bytes. Name a file of at most ${MOST_BYTES}.`)
    }
    return await file.readFile()
  } finally {
    await file.close()
  }
}
