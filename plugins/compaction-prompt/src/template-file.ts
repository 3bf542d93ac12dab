import { constants, open, realpath } from "node:fs/promises"
import { isAbsolute, relative, resolve, sep } from "node:path"

/** Bytes of a template file. */
const LARGEST = 64 * 1024

export type TemplateFile =
  | { readonly type: "read"; readonly text: string }
  /** There is no such file, or nothing in it. */
  | { readonly type: "absent" }
  /** `notice` is for people: which file, what is wrong with it, and what happens instead. */
  | { readonly type: "failed"; readonly notice: string }

/** A template as it is on disk now. A relative path has to end inside of `directory`, links included. Never rejects. */
export async function readTemplate(file: string, directory: string): Promise<TemplateFile> {
  const path = resolve(directory, file)
  try {
    const target = await realpath(path)
    if (!isAbsolute(file) && !isInside(target, await realpath(directory)))
      throw new Error("it leads out of the project")
    const text = decode(await readWhole(target)).trim()
    return text === "" ? { type: "absent" } : { type: "read", text }
  } catch (error) {
    if (isMissing(error)) return { type: "absent" }
    const reason = error instanceof Error ? error.message : String(error)
    return { type: "failed", notice: `The template ${path} is not used: ${reason}. The summary is made without it.` }
  }
}

async function readWhole(path: string): Promise<Uint8Array> {
  // Without O_NONBLOCK opening a named pipe waits until somebody writes to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is no regular file")
    // One byte more than may be, whatever size the file says it has.
    const bytes = new Uint8Array(LARGEST + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length)
      length += bytesRead
      if (length > LARGEST) throw new Error(`it is larger than ${LARGEST / 1024} KB`)
      if (bytesRead === 0) return bytes.subarray(0, length)
    }
  } finally {
    await file.close()
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Error("it is not text in UTF-8", { cause })
  }
}

function isInside(path: string, directory: string): boolean {
  const below = relative(directory, path)
  return below.split(sep)[0] !== ".." && !isAbsolute(below)
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ENOENT" || code === "ENOTDIR"
}
