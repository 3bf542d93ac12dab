import { plainText } from "@pawl/plain-text"
import { bytes } from "@pawl/terminal-text/quantity"

type Answer = Readonly<Record<string, unknown>>

/** A block of an answer that is not text. */
export interface AnswerFile {
  readonly mime: string
  readonly content: Buffer
  /** Has an extension that matches the type. */
  readonly filename: string
}

/**
 * Formats a tool's answer: texts unchanged, files by their type. Structured content is used only if there is nothing
 * else.
 */
export function answerText({ content, structuredContent }: Answer): string {
  const texts = blocksOf(content).map(blockText)
  if (texts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent, undefined, 2)
  return plainText(texts.join("\n\n"))
}

/** Returns the files of an answer in order. */
export function answerFiles({ content }: Answer): readonly AnswerFile[] {
  return blocksOf(content).flatMap((block, at): AnswerFile[] => {
    const { data, mime = "application/octet-stream" } = fileOf(block) ?? {}
    if (data === undefined) return []
    const ending = /^[\w.+-]+\/([\w-]+)/.exec(mime)?.[1] ?? "bin"
    return [{ mime, content: Buffer.from(data, "base64"), filename: `${at + 1}.${ending.slice(0, 16)}` }]
  })
}

type Block = Readonly<Record<string, unknown>>

function blocksOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content.filter((block) => typeof block === "object" && block !== null) : []
}

function fileOf({ data, mimeType, resource }: Block): { readonly data?: string; readonly mime?: string } | undefined {
  const inner = (typeof resource === "object" && resource !== null ? resource : {}) as Block
  const [content, mime] = typeof data === "string" ? [data, mimeType] : [inner["blob"], inner["mimeType"]]
  return typeof content === "string" ? { data: content, ...(typeof mime === "string" ? { mime } : {}) } : undefined
}

function blockText(block: Block): string {
  if (typeof block["text"] === "string") return block["text"]
  const file = fileOf(block)
  if (file) return `[${file.mime ?? "file"}, ${bytes(Buffer.byteLength(file.data ?? "", "base64"))}]`
  const { text, uri } = (block["resource"] ?? block) as Block
  if (typeof text === "string") return text
  return typeof uri === "string" ? `[${uri}]` : JSON.stringify(block)
}
