import type { Span } from "./span.ts"

export interface SourceLine extends Span {
  /** Without its line end. */
  readonly text: string
  /** Where the next line starts. */
  readonly next: number
}

/** The lines of a text with their places. A newline at the end starts no further line. */
export function toSourceLines(text: string): SourceLine[] {
  const lines: SourceLine[] = []
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start)
    const next = newline === -1 ? text.length : newline + 1
    const line = text.slice(start, newline === -1 ? next : newline)
    const shown = newline !== -1 && line.endsWith("\r") ? line.slice(0, -1) : line
    lines.push({ start, end: start + shown.length, text: shown, next })
    start = next
  }
  return lines
}

/** The blocks of whole lines in `text` that are as long as `oldString` and that `isSame` accepts. */
export function findBlocks(
  text: string,
  oldString: string,
  isSame: (block: readonly string[], wanted: readonly string[]) => boolean,
): Span[] {
  const lines = toSourceLines(text)
  const wanted = toSourceLines(oldString).map((line) => line.text)
  const first = wanted[0]?.trim()
  const spans: Span[] = []
  for (let index = 0; index + wanted.length <= lines.length; index++) {
    if (lines[index]?.text.trim() !== first) continue
    const block = lines.slice(index, index + wanted.length)
    if (
      isSame(
        block.map((line) => line.text),
        wanted,
      )
    )
      spans.push(blockSpan(block, oldString))
  }
  return spans
}

/** From the first line's start to the last line's end, with its newline when `oldString` ends with one. */
export function blockSpan(block: readonly SourceLine[], oldString: string): Span {
  const last = block.at(-1)
  return { start: block[0]?.start ?? 0, end: (oldString.endsWith("\n") ? last?.next : last?.end) ?? 0 }
}
