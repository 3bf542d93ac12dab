import { lastCharacters } from "../characters.ts"
import { MAX_BYTES, MAX_LINES } from "../limits.ts"

/** Keeps the end of a growing text. */
export interface OutputTail {
  add(text: string): void
  /** Returns at most the last `length` characters. */
  last(length: number): string
}

// No caller asks for more characters.
const MAX_KEPT_LENGTH = 64 * 1024
// Shorter pieces are joined to keep their number small.
const MIN_PIECE_LENGTH = 1024

export function createOutputTail(): OutputTail {
  const pieces: string[] = []
  let length = 0
  return {
    add(text) {
      const last = pieces.at(-1)
      if (last !== undefined && last.length + text.length <= MIN_PIECE_LENGTH) pieces[pieces.length - 1] = last + text
      else pieces.push(text)
      length += text.length
      while (pieces[0] !== undefined && length - pieces[0].length >= MAX_KEPT_LENGTH) {
        length -= pieces[0].length
        pieces.shift()
      }
    },
    last: (count) => lastCharacters(pieces.join(""), count),
  }
}

/** Returns the last lines that fit into the limits. If the last line alone does not fit, returns its end. */
export function lastLines(text: string, limits = { lines: MAX_LINES, bytes: MAX_BYTES }): string {
  let start = text.length
  let bytes = 0
  for (let lines = 0; lines < limits.lines && start > 0; lines++) {
    const lineStart = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1
    bytes += Buffer.byteLength(text.slice(lineStart, start))
    if (bytes > limits.bytes) break
    start = lineStart
  }
  if (start < text.length) return text.slice(start)
  const end = Buffer.from(text).subarray(-limits.bytes)
  let first = 0
  while (((end[first] ?? 0) & 0xc0) === 0x80) first++
  return end.toString("utf8", first)
}
