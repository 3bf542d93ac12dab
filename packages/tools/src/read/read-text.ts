import type { FileHandle } from "node:fs/promises"
import { encodingByMark } from "../file/text-file.ts"
import { createPager, type PageRange, type TextPage } from "./text-page.ts"

export interface ReadText extends TextPage {
  /** Reading went to the end of the file: `total` counts all its lines. */
  readonly isWhole: boolean
  /** Of all bytes; absent for a large file. */
  readonly hash: string | undefined
  /** What the model should know of how the text is shown. */
  readonly note?: string
}

// A file of this size is read to its end, so that the number of lines is known; it takes some milliseconds.
const COUNTED_BYTES = 10 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024

/**
 * Reads one page; of a large file no more than lies before the page's end, and never more than a chunk in memory. What is
 * added to the file meanwhile is not read: a log that grows as fast as it is read has an end nevertheless.
 */
export async function readText(handle: FileHandle, range: PageRange, signal: AbortSignal): Promise<ReadText> {
  const { createHash } = await import("node:crypto")
  const { size } = await handle.stat()
  const pager = createPager(range)
  const hash = size > COUNTED_BYTES ? undefined : createHash("sha256")
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size + 1, 4096)))
  let toUtf8: ((chunk: Buffer) => Buffer) | undefined
  // Some file systems make contents up on reading and give no size.
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

/** One page of a text that is at hand. */
export function pageOf(text: string, range: PageRange): TextPage {
  const pager = createPager(range)
  pager.feed(Buffer.from(text, "utf8"))
  return pager.page()
}

/** Chosen by the first chunk: drops a byte order mark, turns UTF-16 into UTF-8. */
function utf8Converter(first: Buffer): (chunk: Buffer) => Buffer {
  const marked = encodingByMark(first)
  if (marked === "utf-16le" || marked === "utf-16be") {
    const decoder = new TextDecoder(marked)
    return (chunk) => Buffer.from(decoder.decode(chunk, { stream: true }), "utf8")
  }
  return (chunk) => (chunk === first && marked === "utf-8-bom" ? chunk.subarray(3) : chunk)
}
