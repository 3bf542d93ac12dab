import { constants, open, realpath } from "node:fs/promises"
import { isAbsolute, relative, resolve, sep } from "node:path"

/** Maximum size of a template file. */
const MAX_BYTES = 64 * 1024

export type TemplateFile =
  | { readonly type: "read"; readonly text: string }
  /** The file is missing or empty. */
  | { readonly type: "absent" }
  /** `notice` is for the user: the file, the problem, and what is used instead. */
  | { readonly type: "failed"; readonly notice: string }

/** Reads a template from disk. A relative path must stay inside of `directory`, also through links. Never rejects. */
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
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is not a regular file")
    // Reads one byte more than allowed, because the reported size may be wrong.
    const bytes = new Uint8Array(MAX_BYTES + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length)
      length += bytesRead
      if (length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024} KB`)
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
