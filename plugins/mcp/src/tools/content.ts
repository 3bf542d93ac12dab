import type { FileContent } from "@pawl/core/tool"

/** What a server sent, as models get it. */
export interface ReadContent {
  readonly texts: readonly string[]
  readonly files: readonly FileContent[]
}

/** Kinds of files that models are shown; and bytes of one, and files of one answer, at most. */
const SHOWN = /^(image\/(gif|jpeg|png|webp)|application\/pdf|audio\/[\w.+-]+)$/
const MOST_BYTES = 10 * 1024 * 1024
const MOST_FILES = 20
/** Characters of all texts of one answer that are kept. */
const MOST_TEXT = 16 * 1024 * 1024

/** Content blocks of a tool's result or a prompt's message. What is no known block is shown as it is. */
export function readContent(blocks: readonly unknown[]): ReadContent {
  const texts: string[] = []
  const files: FileContent[] = []
  let room = MOST_TEXT
  for (const block of blocks) {
    const read = readBlock(block)
    if (typeof read !== "string" && files.length < MOST_FILES) {
      files.push(read)
      continue
    }
    const text = (
      typeof read === "string" ? read : `[${read.mime} left out: ${MOST_FILES} files are the most]`
    ).toWellFormed()
    texts.push(
      text.length <= room ? text : `${text.slice(0, room).toWellFormed()}\n[${text.length - room} characters left out]`,
    )
    room = Math.max(0, room - text.length)
  }
  return { texts, files }
}

/** What reading a resource gave: each with its address. */
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
  if (!SHOWN.test(mime)) return `[${named}: ${bytes} bytes that cannot be shown]`
  if (bytes > MOST_BYTES) return `[${named}: ${bytes} bytes, more than can be shown]`
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return `[${named}: what was sent is no base64]`
  const filename = uri?.split("/").at(-1)
  return { type: "file", mime, url: `data:${mime};base64,${base64}`, ...(filename ? { filename } : {}) }
}

function words(value: unknown): string {
  return typeof value === "string" ? value : ""
}
