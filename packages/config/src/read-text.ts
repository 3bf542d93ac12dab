import { readFile, readlink } from "node:fs/promises"

/** The text of a file, or why there is none, as the end of a sentence about the file. */
export type TextResult = { text: string; failure?: undefined } | { text?: undefined; failure: string }

/** Reads UTF-8, without a byte order mark. Never rejects: what a file can do wrong is in the result. */
export async function readText(file: string): Promise<TextResult> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
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

async function isLink(file: string): Promise<boolean> {
  return readlink(file).then(
    () => true,
    () => false,
  )
}

/** Says what an error code of the file system means for the reader of a file. */
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

/** `ENOENT` and the like; "unknown error" for what carries no code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error"
}
