import type { FileHandle } from "node:fs/promises"
import { encodingByMark } from "../file/text-file.ts"
import { createPager, type PageRange, type TextPage } from "./text-page.ts"

export interface ReadText extends TextPage {
  /** Set if the file was read to its end; then `total` counts all its lines. */
  readonly isWhole: boolean
  /** Hash of all bytes; undefined for a large file. */
  readonly hash: string | undefined
  /** A message for the model about how the text is shown. */
  readonly note?: string
}

// Files up to this size are read to the end to count their lines, which takes milliseconds.
const COUNTED_BYTES = 10 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024

/**
 * Reads one page, at most one chunk at a time. Stops after the page if the file is large. Ignores what is appended
 * during the read, so reading a growing log ends.
 */
export async function readText(handle: FileHandle, range: PageRange, signal: AbortSignal): Promise<ReadText> {
  const { createHash } = await import("node:crypto")
  const { size } = await handle.stat()
  const pager = createPager(range)
  const hash = size > COUNTED_BYTES ? undefined : createHash("sha256")
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size + 1, 4096)))
  let toUtf8: ((chunk: Buffer) => Buffer) | undefined
  // Some file systems generate contents and report no size.
  let left = size || COUNTED_BYTES
  while (left > 0) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, left))
    if (bytesRead === 0) break
    left -= bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    hash?.update(chunk)
    toUtf8 ??= utf8Converter(chunk)
    pager.feed(toUtf8(chunk))
    if (pager.isFull && size > COUNTED_BYTES) return { ...pager.page(), isWhole: false, hash: undefined }
  }
  return { ...pager.page(), isWhole: true, hash: hash?.digest("hex") }
}

export function pageOf(text: string, range: PageRange): TextPage {
  const pager = createPager(range)
  pager.feed(Buffer.from(text, "utf8"))
  return pager.page()
}

/** Drops a byte order mark and converts UTF-16 to UTF-8. The first chunk decides. */
function utf8Converter(first: Buffer): (chunk: Buffer) => Buffer {
  const marked = encodingByMark(first)
  if (marked === "utf-16le" || marked === "utf-16be") {
    const decoder = new TextDecoder(marked)
    return (chunk) => Buffer.from(decoder.decode(chunk, { stream: true }), "utf8")
  }
  return (chunk) => (chunk === first && marked === "utf-8-bom" ? chunk.subarray(3) : chunk)
}
