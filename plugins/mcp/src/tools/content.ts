import type { FileContent } from "@pawl/core/tool"

/** A server's content in a form for models. */
export interface ReadContent {
  readonly texts: readonly string[]
  readonly files: readonly FileContent[]
}

/** File types that models accept, and limits for the bytes of a file and the number of files of a result. */
const ACCEPTED_TYPES = /^(image\/(gif|jpeg|png|webp)|application\/pdf|audio\/[\w.+-]+)$/
const MAX_FILE_BYTES = 10 * 1024 * 1024
const MAX_FILES = 20
/** Maximum number of characters of all texts of a result. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024

/** Reads the content blocks of a tool's result or a prompt's message. Shows unknown blocks as JSON. */
export function readContent(blocks: readonly unknown[]): ReadContent {
  const texts: string[] = []
  const files: FileContent[] = []
  let room = MAX_TEXT_LENGTH
  for (const block of blocks) {
    const read = readBlock(block)
    if (typeof read !== "string" && files.length < MAX_FILES) {
      files.push(read)
      continue
    }
    const text = (
      typeof read === "string" ? read : `[${read.mime} left out: ${MAX_FILES} files are the most]`
    ).toWellFormed()
    texts.push(
      text.length <= room ? text : `${text.slice(0, room).toWellFormed()}\n[${text.length - room} characters left out]`,
    )
    room = Math.max(0, room - text.length)
  }
  return { texts, files }
}

/** Reads the contents of a resource, each with its address. */
export function readResourceContents(contents: readonly unknown[]): ReadContent {
  return readContent(contents.map((resource) => ({ type: "resource", resource })))
}

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly data?: unknown
  readonly mimeType?: unknown
  readonly resource?: unknown
  readonly uri?: unknown
  readonly name?: unknown
  readonly description?: unknown
}

function readBlock(given: unknown): string | FileContent {
  const block = (given ?? {}) as Block
  switch (block.type) {
    case "text":
      return words(block.text)
    case "image":
    case "audio":
      return fileOf(words(block.mimeType), words(block.data), undefined)
    case "resource":
      return embedded(block.resource ?? {})
    case "resource_link":
      return link(block)
    default:
      return JSON.stringify(given) ?? ""
  }
}

interface Embedded {
  readonly uri?: unknown
  readonly text?: unknown
  readonly blob?: unknown
  readonly mimeType?: unknown
}

function embedded({ uri, text, blob, mimeType }: Embedded): string | FileContent {
  if (typeof blob === "string") return fileOf(words(mimeType), blob, words(uri))
  return `<resource uri=${JSON.stringify(words(uri))}>\n${words(text)}\n</resource>`
}

function link({ uri, name, description, mimeType }: Block): string {
  const about = [words(mimeType), words(description)].filter((text) => text !== "").join(", ")
  return `[Resource ${words(name)}: ${words(uri)}${about === "" ? "" : ` (${about})`}]`
}

function fileOf(mime: string, base64: string, uri: string | undefined): string | FileContent {
  const named = uri === undefined ? mime : `${mime || "binary"} ${uri}`
  const bytes = Math.floor((base64.length * 3) / 4)
  if (!ACCEPTED_TYPES.test(mime)) return `[${named}: ${bytes} bytes that cannot be shown]`
  if (bytes > MAX_FILE_BYTES) return `[${named}: ${bytes} bytes, more than can be shown]`
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return `[${named}: the data is not valid base64]`
  const filename = uri?.split("/").at(-1)
  return { type: "file", mime, url: `data:${mime};base64,${base64}`, ...(filename ? { filename } : {}) }
}

function words(value: unknown): string {
  return typeof value === "string" ? value : ""
}
