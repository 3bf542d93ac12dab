import { extname } from "node:path"
import { encodingByMark } from "../file/text-file.ts"

export type FileKind =
  | { readonly type: "text" }
  | { readonly type: "binary" }
  /** Can be sent to a model as an attachment. */
  | { readonly type: "attachment"; readonly mime: string; readonly maxBytes: number }

/** Bytes from the start of a file that decide its kind. */
export const SAMPLE_BYTES = 8192

const MAX_DAMAGED = 0.3
// Undecodable bytes, and control characters other than white space and backspace.
const DAMAGE = /\uFFFD|[^\P{Cc}\s\b]/gu

// Providers accept at most 5 MiB of base64 for an image.
const MAX_IMAGE_BYTES = 3.75 * 1024 * 1024
const MAX_PDF_BYTES = 10 * 1024 * 1024

const signatures: readonly { mime: string; maxBytes: number; matches(start: string): boolean }[] = [
  { mime: "image/png", maxBytes: MAX_IMAGE_BYTES, matches: (start) => start.startsWith("\x89PNG\r\n\x1a\n") },
  { mime: "image/jpeg", maxBytes: MAX_IMAGE_BYTES, matches: (start) => start.startsWith("\xff\xd8\xff") },
  { mime: "image/gif", maxBytes: MAX_IMAGE_BYTES, matches: (start) => /^GIF8[79]a/.test(start) },
  { mime: "image/webp", maxBytes: MAX_IMAGE_BYTES, matches: (start) => /^RIFF[^]{4}WEBP/.test(start) },
  { mime: "application/pdf", maxBytes: MAX_PDF_BYTES, matches: (start) => start.startsWith("%PDF-") },
]

// Formats that may begin like text.
const binaryExtensions = new Set(
  ".7z .a .class .dll .doc .docx .dylib .exe .gz .jar .o .obj .odp .ods .odt .ppt .pptx .pyc .so .tar .war .wasm .xls .xlsx .xz .zip".split(
    " ",
  ),
)

/** The content decides before the name: a `.png` that contains text is text. */
export function fileKind(path: string, sample: Buffer): FileKind {
  const start = sample.toString("latin1", 0, 16)
  const signature = signatures.find((candidate) => candidate.matches(start))
  if (signature) return { type: "attachment", mime: signature.mime, maxBytes: signature.maxBytes }
  if (sample.length > 0 && binaryExtensions.has(extname(path).toLowerCase())) return { type: "binary" }
  return { type: isBinary(sample) ? "binary" : "text" }
}

function isBinary(sample: Buffer): boolean {
  const marked = encodingByMark(sample)
  if (marked === "utf-16le" || marked === "utf-16be") return false
  if (sample.includes(0)) return true
  // `stream` ignores a character that the end of the sample cuts.
  const text = new TextDecoder("utf-8").decode(sample, { stream: true })
  const damaged = text.match(DAMAGE)?.length ?? 0
  return damaged > text.length * MAX_DAMAGED
}
