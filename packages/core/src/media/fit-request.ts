import type { FileLimits } from "../contracts/input-rules.ts"
import type { FileContent, InputKind, Model, ModelMessage } from "../contracts/model.ts"
import { readDataURL, encodedBytes } from "../measure/data-url.ts"
import { countedPages } from "../measure/pdf-pages.ts"
import { checkMedia } from "./check-media.ts"
import { leftOut } from "./left-out.ts"
import { limitsFor } from "./limits.ts"
import { newestThatFit } from "./newest-that-fit.ts"

type AskedModel = Pick<Model, "info" | "inputRules">

/**
 * Fits messages to a model. Replaces a file by text if the model cannot read it, or if its provider refuses its size.
 * If there are too many files, replaces the oldest ones. Stored files stay unchanged. An unchanged message is the same
 * value, so that requests begin with the same bytes.
 */
export function createRequestFitter(): (messages: ModelMessage[], model: AskedModel) => ModelMessage[] {
  const found = new WeakMap<ModelMessage, readonly FileContent[]>()
  const judged = new WeakMap<FileContent, { readonly model: AskedModel; readonly reason: string | undefined }>()
  const replaced = new WeakMap<ModelMessage, { readonly reasons: string; readonly message: ModelMessage }>()

  /** Returns the files of a message. Cached, because a conversation may have thousands of messages. */
  function filesOf(message: ModelMessage): readonly FileContent[] {
    let known = found.get(message)
    if (!known) found.set(message, (known = filesIn(message)))
    return known
  }

  function reasonFor(file: FileContent, model: AskedModel, limits: FileLimits): string | undefined {
    const known = judged.get(file)
    if (known?.model.info === model.info) return known.reason
    const reason = ownReason(file, model, limits)
    judged.set(file, { model, reason })
    return reason
  }

  function withWords(message: ModelMessage, reasons: ReadonlyMap<FileContent, string>): ModelMessage {
    const own = filesOf(message)
    if (!own.some((file) => reasons.has(file))) return message
    const key = JSON.stringify(own.map((file) => reasons.get(file)))
    const known = replaced.get(message)
    if (known?.reasons === key) return known.message
    const entry = { reasons: key, message: written(message, reasons) }
    replaced.set(message, entry)
    return entry.message
  }

  return (messages, model) => {
    const files: FileContent[] = []
    for (const message of messages) files.push(...filesOf(message))
    if (files.length === 0) return messages
    const limits = limitsFor(model)
    const reasons = new Map<FileContent, string>()
    for (const file of files) {
      const reason = reasonFor(file, model, limits)
      if (reason !== undefined) reasons.set(file, reason)
    }
    const sized = files.filter((file) => !reasons.has(file)).map((file) => ({ file, ...sizeOf(file) }))
    const most = { images: limits.image.count, bytes: limits.requestBytes }
    for (const [{ file }, reason] of newestThatFit(sized, most)) reasons.set(file, reason)
    return reasons.size === 0 ? messages : messages.map((message) => withWords(message, reasons))
  }
}

const NONE: readonly FileContent[] = []

function filesIn(message: ModelMessage): readonly FileContent[] {
  if (message.role === "user") return message.content.filter((item) => item.type === "file")
  // Nearly all results have no files, and there may be thousands.
  if (message.role === "assistant" || !message.content.some(({ attachments }) => attachments)) return NONE
  return message.content.flatMap(({ attachments = [] }) => attachments)
}

const KINDS: { readonly [K in InputKind]: string } = {
  text: "text files",
  image: "images",
  pdf: "PDFs",
  audio: "audio",
  video: "video",
}

/** Returns the reason why the model cannot accept the file, independent of the rest of the request. */
function ownReason(file: FileContent, { info }: AskedModel, limits: FileLimits): string | undefined {
  const kind = kindOf(file.mime)
  const { input } = info.capabilities
  if (input && kind && !input.includes(kind)) return `the model reads no ${KINDS[kind]}`
  const check = checkMedia(file, limits)
  if (check.type !== "ok") return check.reason
  const most = info.media?.pdfPages
  const data = kind === "pdf" && most !== undefined ? readDataURL(file.url) : undefined
  const pages = (data && countedPages(data)) ?? 0
  return most !== undefined && pages > most
    ? `its ${pages} pages are more than the ${most} that the model takes`
    : undefined
}

function kindOf(mime: string): InputKind | undefined {
  if (mime === "application/pdf") return "pdf"
  return (["image", "audio", "video"] as const).find((kind) => mime.startsWith(`${kind}/`))
}

function sizeOf({ mime, url }: FileContent): { images: number; bytes: number } {
  const data = readDataURL(url)
  return { images: mime.startsWith("image/") ? 1 : 0, bytes: data ? encodedBytes(data) : 0 }
}

function written(message: ModelMessage, reasons: ReadonlyMap<FileContent, string>): ModelMessage {
  const words = (file: FileContent) => {
    const reason = reasons.get(file)
    return reason === undefined ? undefined : leftOut(file, reason)
  }
  if (message.role === "user") {
    const content = message.content.map((item) => {
      const text = item.type === "file" ? words(item) : undefined
      return text === undefined ? item : { type: "text" as const, text }
    })
    return { role: "user", content }
  }
  if (message.role !== "tool") return message
  const content = message.content.map(({ attachments = [], ...result }) => {
    const kept = attachments.filter((file) => !reasons.has(file))
    const notes = attachments.flatMap((file) => words(file) ?? [])
    const output = [result.output, ...notes].join("\n")
    return { ...result, output, ...(kept.length > 0 ? { attachments: kept } : {}) }
  })
  return { role: "tool", content }
}
