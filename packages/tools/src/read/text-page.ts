import { isUtf8 } from "node:buffer"
import { firstCharacters } from "../characters.ts"
import { MAX_BYTES, MAX_LINE_LENGTH } from "../limits.ts"

export interface PageRange {
  /** The first line, from 1. */
  readonly offset: number
  /** Maximum number of lines. */
  readonly limit: number
}

export interface TextPage {
  readonly lines: readonly string[]
  /** The first line after the page; undefined if the page contains the last line. */
  readonly next: number | undefined
  /** Number of lines so far. A last line without a newline counts. */
  readonly total: number
  /** Set if some bytes of the page are invalid UTF-8. */
  readonly isDamaged: boolean
}

/**
 * Takes UTF-8 bytes in chunks and keeps the lines of one page, at most 50 KiB. Other lines are only counted. Keeps only
 * the start of a long line.
 */
export interface Pager {
  feed(chunk: Buffer): void
  /** Set if there is more text after the page. */
  readonly isFull: boolean
  page(): TextPage
}

const MAX_KEPT_BYTES = MAX_LINE_LENGTH * 4
const NEWLINE = 0x0a

export function createPager({ offset, limit }: PageRange): Pager {
  const lines: string[] = []
  let bytes = 0
  let current = 1
  let next: number | undefined
  let isDamaged = false
  let parts: Buffer[] = []
  let keptBytes = 0
  let length = 0

  const isOpen = () => current >= offset && next === undefined && lines.length < limit

  function take(part: Buffer): void {
    if (part.length === 0) return
    length += part.length
    if (!isOpen()) {
      if (current >= offset) next ??= current
    } else if (keptBytes < MAX_KEPT_BYTES) {
      // Copies, because readers reuse the chunk.
      const copy = Buffer.from(part.subarray(0, MAX_KEPT_BYTES - keptBytes))
      parts.push(copy)
      keptBytes += copy.length
    }
  }

  function endLine(): void {
    if (isOpen()) {
      const { text, isValid } = shownLine(Buffer.concat(parts), length)
      bytes += Buffer.byteLength(text) + 1
      if (bytes > MAX_BYTES) {
        next = current
      } else {
        lines.push(text)
        isDamaged ||= !isValid
      }
    } else if (current >= offset) next ??= current
    parts = []
    keptBytes = 0
    length = 0
    current++
  }

  return {
    feed(chunk) {
      let start = 0
      while (start < chunk.length) {
        const newline = chunk.indexOf(NEWLINE, start)
        take(chunk.subarray(start, newline === -1 ? chunk.length : newline))
        if (newline === -1) break
        endLine()
        start = newline + 1
      }
    },
    get isFull() {
      return next !== undefined
    },
    page() {
      if (length > 0) endLine()
      return { lines, next, total: current - 1, isDamaged }
    },
  }
}

function shownLine(bytes: Buffer, length: number): { readonly text: string; readonly isValid: boolean } {
  const isWhole = bytes.length === length
  const whole = isWhole ? bytes : withoutBrokenEnd(bytes)
  const text = whole.toString("utf8").replace(/\r$/, "")
  const isCut = !isWhole || text.length > MAX_LINE_LENGTH
  return {
    text: isCut ? `${firstCharacters(text, MAX_LINE_LENGTH)}... (line cut after ${MAX_LINE_LENGTH} characters)` : text,
    isValid: isUtf8(whole),
  }
}

/** Removes an incomplete character at the end. */
function withoutBrokenEnd(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, Math.max(0, end - 1))
}
