import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { RequestError, type RequestPart } from "../request-error.ts"

const MOST_BYTES = 32 * 1024 * 1024

/**
 * What a file holds. Throws RequestError for what is no file of usual size: a directory, a pipe that nobody writes to, a
 * device without an end. Rejects with the system's error where it cannot be opened.
 */
export async function readRegularFile(path: string, part: RequestPart): Promise<Buffer> {
  // Opening a pipe would otherwise wait for somebody who writes to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
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
