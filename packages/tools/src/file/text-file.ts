import { isUtf8 } from "node:buffer"

/** Encoding of a file. `bytes` is for invalid UTF-8: one character per byte, so that unedited bytes stay identical. */
export type TextEncoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "bytes"

const BOM = "\uFEFF"

/** Returns undefined if there is no byte order mark. */
export function encodingByMark(start: Buffer): TextEncoding | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return "utf-8-bom"
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le"
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be"
  return undefined
}

/** Decodes without the byte order mark. `encodeText` with the same encoding restores the bytes. */
export function decodeText(bytes: Buffer): { readonly text: string; readonly encoding: TextEncoding } {
  const marked = encodingByMark(bytes)
  // UTF-16 has an even number of bytes.
  const isWhole = bytes.length % 2 === 0
  if (marked === "utf-16le" && isWhole) return { text: bytes.toString("utf16le", 2), encoding: marked }
  if (marked === "utf-16be" && isWhole) return { text: swapped(bytes).toString("utf16le", 2), encoding: marked }
  if (!isUtf8(bytes)) return { text: bytes.toString("latin1"), encoding: "bytes" }
  if (marked === "utf-8-bom") return { text: bytes.toString("utf8", 3), encoding: marked }
  return { text: bytes.toString("utf8"), encoding: "utf-8" }
}

export function encodeText(text: string, encoding: TextEncoding): Buffer {
  return encoders[encoding](text)
}

const encoders: Readonly<Record<TextEncoding, (text: string) => Buffer>> = {
  "utf-8": (text) => Buffer.from(text, "utf8"),
  "utf-8-bom": (text) => Buffer.from(BOM + text, "utf8"),
  "utf-16le": (text) => Buffer.from(BOM + text, "utf16le"),
  "utf-16be": (text) => swapped(Buffer.from(BOM + text, "utf16le")),
  bytes: (text) => Buffer.from(text, "latin1"),
}

/** Decodes for display: bytes that are not text become U+FFFD. */
export function shownText(bytes: Buffer): string {
  const { text, encoding } = decodeText(bytes)
  return encoding === "bytes" ? bytes.toString("utf8") : text
}

/** Returns true if most lines end with CR LF. */
export function usesCarriageReturns(text: string): boolean {
  const all = count(text, "\n")
  return all > 0 && count(text, "\r\n") * 2 > all
}

export function toCarriageReturns(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n")
}

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++
  return found
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16()
}
