import { constants, open, readlink } from "node:fs/promises"
import { buffer } from "node:stream/consumers"

/** The text of a file, or the reason for the failure as the end of a sentence about the file. */
export type TextResult = { text: string; failure?: undefined } | { text?: undefined; failure: string }

/**
 * Maximum size in bytes, with its text for messages. Real configurations are far smaller; the limit protects the
 * memory.
 */
export interface SizeLimit {
  readonly bytes: number
  readonly name: string
}

const MAX_FILE: SizeLimit = { bytes: 1_048_576, name: "1 MiB" }

/** Reads UTF-8, without a byte order mark. Default limit: 1 MiB. Never rejects: failures are in the result. */
export async function readText(file: string, limit: SizeLimit = MAX_FILE): Promise<TextResult> {
  let bytes: Uint8Array
  try {
    const found = await readBytes(file, limit)
    if (typeof found === "string") return { failure: found }
    bytes = found
  } catch (error) {
    const code = errorCode(error)
    if (code === "ENOENT" && (await isLink(file))) return { failure: "is a link to a file that does not exist" }
    return { failure: readFailure(code) }
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
  } catch {
    return { failure: "is not UTF-8 text" }
  }
}

/** Returns a text as `readText` would from a file. */
export function limited(text: string, limit: SizeLimit = MAX_FILE): TextResult {
  return Buffer.byteLength(text) > limit.bytes ? { failure: `is larger than ${limit.name}` } : { text }
}

/** Returns the bytes, or the reason why they were not read. */
async function readBytes(file: string, limit: SizeLimit): Promise<Uint8Array | string> {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) return readFailure("EISDIR")
    if (!stats.isFile()) return "is not a regular file"
    // Some files are longer than their reported size, or grow.
    const bytes = await buffer(handle.createReadStream({ end: limit.bytes, autoClose: false }))
    return bytes.length > limit.bytes ? `is larger than ${limit.name}` : bytes
  } finally {
    await handle.close()
  }
}

async function isLink(file: string): Promise<boolean> {
  return readlink(file).then(
    () => true,
    () => false,
  )
}

/** Describes an error code of the file system for the reader of a message. */
export function readFailure(code: string): string {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "does not exist"
    case "EISDIR":
      return "is a directory, not a file"
    case "EACCES":
    case "EPERM":
      return "cannot be read: permission denied"
    default:
      return `cannot be read: ${code}`
  }
}

/** Returns the code, such as `ENOENT`; "unknown error" if the error has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error"
}
