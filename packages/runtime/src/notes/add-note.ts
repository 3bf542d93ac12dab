import { lstat, mkdir, readFile, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, relative, sep } from "node:path"
import { isUtf8 } from "node:buffer"
import { makeFile, replaceFile } from "@pawl/files/held-file"
import { statusOf } from "@pawl/files/status-of"
import type { NoteFile } from "./note-files.ts"
import { notedText } from "./noted-text.ts"

/** Only this part of an instruction file is read. */
const MAX_BYTES = 1024 ** 2
const MAX_ATTEMPTS = 5

/**
 * Adds a note of the user to a file, which is made if it is missing. Waits for other notes and for tools that change the
 * file. The file is replaced as a whole and keeps its mode and line endings. Rejects with a sentence for the user, and the file is as before then.
 */
export async function addNote(file: Pick<NoteFile, "path" | "within">, note: string): Promise<void> {
  const { createFileLocks } = await import("@pawl/tools")
  const locks = createFileLocks()
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const target = await targetOf(file)
    if (await locks.run(target, () => isAdded(target, file.path, note))) return
  }
  throw new Error(`${file.path} is changed by another program all the time. Try again later.`)
}

/** Returns false if another program, such as an editor, changed the file meanwhile. */
async function isAdded(target: string, shown: string, note: string): Promise<boolean> {
  const before = await statusOf(target)
  if (!before) {
    return makeFile(target, notedText("", note)).then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
        throw error
      },
    )
  }
  if (!before.isFile()) throw new Error(`${shown} is not a regular file.`)
  if (before.size > MAX_BYTES) throw new Error(`${shown} is larger than 1 MiB. Add the note in an editor.`)
  const bytes = await readFile(target)
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new Error(`${shown} is not a text in UTF-8. Add the note in an editor.`)
  const text = notedText(bytes.toString("utf8"), note)
  if (Buffer.byteLength(text) > MAX_BYTES) throw new Error(`${shown} would be larger than 1 MiB. Shorten it first.`)
  const now = await stat(target)
  if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) return false
  await replaceFile(target, text, before.mode & 0o777)
  return true
}

/** Resolves links. Rejects if they lead out of the directory that the file must not leave, or to nothing. */
async function targetOf({ path, within }: Pick<NoteFile, "path" | "within">): Promise<string> {
  const target = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (target === undefined) {
    if (await isLink(path)) throw new Error(`${path} is a link that leads to nothing.`)
    if (within === undefined) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return insideOf(join(await realpath(dirname(path)), basename(path)), path, within)
  }
  return insideOf(target, path, within)
}

async function insideOf(target: string, shown: string, within: string | undefined): Promise<string> {
  if (within === undefined) return target
  const way = relative(await realpath(within), target)
  if (way === ".." || way.startsWith(`..${sep}`))
    throw new Error(`${shown} is a link out of the project, to ${target}.`)
  return target
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (status) => status.isSymbolicLink(),
    () => false,
  )
}
