import { open, readdir, readFile, stat } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type OutputLimits, type PromptPart, truncate } from "@pawl/core"
import { UsageError } from "../arguments/usage-error.ts"

const LARGEST_MEDIA = 10 * 1024 * 1024
const SAMPLE = 8192
const SHOWN: OutputLimits = { lines: 2000, bytes: 50 * 1024 }
/** What can be longer than any attached text, and still be read as a whole. */
const LARGEST_TEXT = 64 * 1024 * 1024

const MEDIA: readonly (readonly [mime: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xFF\xD8\xFF/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
  ["application/pdf", /^%PDF-/],
]

/** From 1, both included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/**
 * The parts that a file given with a task becomes: its text or listing written out and a reference to it, or for images
 * and PDF the file itself. `lines`: of a text, in place of all. Throws UsageError for what cannot be attached.
 */
export async function attachment(path: string, directory: string, lines?: LineRange): Promise<PromptPart[]> {
  const file = resolve(directory, path)
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === "ENOENT" ? `There is no file ${file} to attach.` : `${file}: ${error.message}`)
  })
  if (found.isDirectory()) return listing(file)
  if (!found.isFile()) throw new UsageError(`${file} is no regular file or directory, and cannot be attached.`)
  const start = await firstBytes(file)
  const mime = MEDIA.find(([, pattern]) => pattern.test(start.toString("latin1")))?.[0]
  if (mime !== undefined) return media(file, mime, found.size)
  if (start.includes(0)) {
    throw new UsageError(
      `${file} is a binary file. Text, images (PNG, JPEG, GIF, WebP), PDF and directories can be attached.`,
    )
  }
  if (found.size > LARGEST_TEXT) throw new UsageError(`${file} is too large to attach. Name it in the task instead.`)
  const text = await readFile(file, "utf8")
  if (!lines) return writtenOut(file, "text/plain", text, "The user attached the file")
  const chosen = text.split("\n").slice(Math.max(lines.first, 1) - 1, lines.last)
  const introduction = `The user attached the lines ${lines.first} to ${lines.last} of the file`
  return writtenOut(file, "text/plain", chosen.join("\n"), introduction)
}

async function listing(path: string): Promise<PromptPart[]> {
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries.map((entry) => entry.name + (entry.isDirectory() ? "/" : "")).sort()
  return writtenOut(path, "application/x-directory", names.join("\n"), "The user attached the directory")
}

function writtenOut(path: string, mime: string, text: string, introduction: string): PromptPart[] {
  const cut = truncate(text, "head", SHOWN)
  const note = cut ? `\n(${cut.droppedLines} more lines are not shown; the read tool shows them.)` : ""
  const content = `${introduction} ${path}:\n<content>\n${(cut?.text ?? text).replace(/\n$/, "")}\n</content>${note}`
  return [
    { type: "text", text: content, synthetic: true },
    { type: "file", mime, filename: basename(path), url: pathToFileURL(path).href },
  ]
}

async function media(path: string, mime: string, size: number): Promise<PromptPart[]> {
  if (size > LARGEST_MEDIA) throw new UsageError(`${path} is too large to attach: at most 10 MiB.`)
  const url = `data:${mime};base64,${(await readFile(path)).toString("base64")}`
  return [{ type: "file", mime, filename: basename(path), url }]
}

async function firstBytes(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE), 0, SAMPLE, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
