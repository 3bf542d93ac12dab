import { constants, type FileHandle, readdir, realpath, stat } from "node:fs/promises"
import { basename, dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { PromptPart } from "@pawl/core"
import { messageOf, type OutputLimits, truncate } from "@pawl/core/tool"
import { holdDirectory, MovedDirectoryError } from "@pawl/held-directory"
import { UsageError } from "@pawl/config/usage-error"
import type { LineRange } from "./mentions.ts"

const MAX_MEDIA_BYTES = 10 * 1024 * 1024
const SAMPLE_BYTES = 8192
const SHOWN: OutputLimits = { lines: 2000, bytes: 50 * 1024 }
/** Larger files are not read. The limit is above that of any attached text. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

const MEDIA: readonly (readonly [mime: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xFF\xD8\xFF/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
  ["application/pdf", /^%PDF-/],
]

/**
 * Converts a file that is attached to a task into parts: its text or listing with a reference, or the file itself for images
 * and PDF. `lines` limits a text to these lines. `target` is the real path that permissions were checked for; default: the
 * current real path. Throws UsageError if the file cannot be attached.
 */
export async function attachment(
  path: string,
  directory: string,
  { lines, target }: { readonly lines?: LineRange | undefined; readonly target?: string | undefined } = {},
): Promise<PromptPart[]> {
  const file = resolve(directory, path)
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === "ENOENT" ? `There is no file ${file} to attach.` : `${file}: ${error.message}`)
  })
  const real = target ?? (await realpath(file))
  try {
    if (found.isDirectory()) return await listing(file, real)
    if (!found.isFile()) throw cannotAttach(file)
    using held = holdDirectory(dirname(real))
    await using handle = await held.open(basename(real), constants.O_RDONLY | constants.O_NONBLOCK)
    return await contentParts(handle, file, lines)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ELOOP" || error instanceof MovedDirectoryError) {
      throw new UsageError(
        `${file} led to ${real} when it was checked, and leads elsewhere now.`,
        "Run the command again.",
      )
    }
    // The user chose a file that the system does not let pawl read.
    if (code !== undefined) throw new UsageError(`${file} cannot be attached: ${messageOf(error)}`)
    throw error
  }
}

function cannotAttach(file: string): UsageError {
  return new UsageError(`${file} is not a regular file or directory, and cannot be attached.`)
}

async function contentParts(handle: FileHandle, file: string, lines: LineRange | undefined): Promise<PromptPart[]> {
  const found = await handle.stat()
  if (!found.isFile()) throw cannotAttach(file)
  const start = await firstBytes(handle)
  const mime = MEDIA.find(([, pattern]) => pattern.test(start.toString("latin1")))?.[0]
  if (mime !== undefined) return media(handle, { file, mime, size: found.size })
  if (start.includes(0)) {
    throw new UsageError(
      `${file} is a binary file. Text, images (PNG, JPEG, GIF, WebP), PDF and directories can be attached.`,
    )
  }
  if (found.size > MAX_TEXT_BYTES) throw new UsageError(`${file} is too large to attach. Name it in the task instead.`)
  const text = (await handle.readFile()).toString("utf8")
  if (!lines) return writtenOut(file, "text/plain", text, "The user attached the file")
  const count = text.replace(/\n$/, "").split("\n").length
  if (lines.first > count) throw new UsageError(`${file} ends at line ${count}, before line ${lines.first}.`)
  const chosen = text.split("\n").slice(Math.max(lines.first, 1) - 1, lines.last)
  const introduction = `The user attached the lines ${lines.first} to ${lines.last} of the file`
  const name = `${basename(file)}:${lines.first}-${lines.last}`
  return writtenOut(file, "text/plain", chosen.join("\n"), introduction, name)
}

async function listing(path: string, real: string): Promise<PromptPart[]> {
  using held = holdDirectory(real)
  const entries = await readdir(held.at("."), { withFileTypes: true })
  const names = entries.map((entry) => entry.name + (entry.isDirectory() ? "/" : "")).sort()
  return writtenOut(path, "application/x-directory", names.join("\n"), "The user attached the directory")
}

function writtenOut(
  path: string,
  mime: string,
  text: string,
  introduction: string,
  filename = basename(path),
): PromptPart[] {
  const cut = truncate(text, "head", SHOWN)
  const note = cut ? `\n(${cut.droppedLines} more lines are not shown; the read tool shows them.)` : ""
  const content = `${introduction} ${path}:\n<content>\n${(cut?.text ?? text).replace(/\n$/, "")}\n</content>${note}`
  return [
    { type: "text", text: content, synthetic: true },
    { type: "file", mime, filename, url: pathToFileURL(path).href },
  ]
}

async function media(
  handle: FileHandle,
  { file, mime, size }: { readonly file: string; readonly mime: string; readonly size: number },
): Promise<PromptPart[]> {
  if (size > MAX_MEDIA_BYTES) throw new UsageError(`${file} is too large to attach: at most 10 MiB.`)
  const url = `data:${mime};base64,${(await handle.readFile()).toString("base64")}`
  return [{ type: "file", mime, filename: basename(file), url }]
}

/** Reads at an explicit position, so that the read of the whole file still begins at its start. */
async function firstBytes(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
