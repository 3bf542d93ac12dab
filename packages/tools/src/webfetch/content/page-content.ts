import { fileKind, SAMPLE_BYTES } from "../../read/file-kind.ts"
import { decodeText, textEncoding } from "./decode-text.ts"
import { contentKind, type MediaType } from "./media-type.ts"

export type PageContent =
  | { readonly type: "text"; readonly text: string; readonly isHTML: boolean }
  | { readonly type: "attachment"; readonly mime: string; readonly bytes: Buffer; readonly maxBytes: number }
  /** `found` is the detected type, such as `application/zip`. */
  | { readonly type: "binary"; readonly found: string }

/** Classifies a body by its declared type and its bytes. */
export function pageContent(bytes: Buffer, { essence, charset }: MediaType): PageContent {
  const kind = contentKind(essence)
  if (kind === "binary") return { type: "binary", found: essence }
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const found = fileKind("", sample)
  if (found.type === "attachment") return { ...found, bytes }
  const isMarkup = kind === "html" || /\bxml$/.test(essence) || (essence === "" && looksLikeHTML(sample))
  const encoding = textEncoding(bytes, charset, isMarkup)
  // UTF-16 text contains NULs, which otherwise indicate a binary file.
  if (found.type === "binary" && !encoding.startsWith("utf-16") && isDamaged(sample, encoding)) {
    return { type: "binary", found: essence === "" ? "unknown" : `binary, though declared as ${essence}` }
  }
  const isHTML = kind === "html" || (essence === "" && isMarkup)
  return { type: "text", text: decodeText(bytes, encoding), isHTML }
}

function isDamaged(sample: Buffer, encoding: string): boolean {
  return encoding === "utf-8" || sample.includes(0)
}

function looksLikeHTML(sample: Buffer): boolean {
  return /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(sample.toString("latin1"))
}
