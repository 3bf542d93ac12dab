import type { Span } from "./span.ts"

/**
 * Line positions of a text. Lines are cut out on demand, because a long text has too many to keep as objects. A newline
 * at the end does not start another line.
 */
export interface SourceLines {
  readonly count: number
  /** Excludes the line end. */
  text(index: number): string
  trimmed(index: number): string
  /** Spans `count` lines from `first`. The line end of the last one is included if `isWithNewline` is set. */
  span(first: number, count: number, isWithNewline: boolean): Span
}

export function toSourceLines(text: string): SourceLines {
  const starts = lineStarts(text)
  const count = starts.length - 1
  const start = (index: number) => starts[index] ?? text.length
  function end(index: number): number {
    const next = start(index + 1)
    if (text[next - 1] !== "\n") return next
    return text[next - 2] === "\r" && next - 2 >= start(index) ? next - 2 : next - 1
  }
  return {
    count,
    text: (index) => text.slice(start(index), end(index)),
    trimmed: (index) => text.slice(start(index), end(index)).trim(),
    span(first, length, isWithNewline) {
      const last = first + length - 1
      return { start: start(first), end: isWithNewline ? start(last + 1) : end(last) }
    },
  }
}

/** Returns the start of each line, followed by the length of the text. */
function lineStarts(text: string): Uint32Array {
  let count = 0
  for (let at = 0; at < text.length; at = nextLine(text, at)) count++
  const starts = new Uint32Array(count + 1)
  for (let index = 1; index <= count; index++) starts[index] = nextLine(text, starts[index - 1] ?? 0)
  return starts
}

function nextLine(text: string, at: number): number {
  const newline = text.indexOf("\n", at)
  return newline === -1 ? text.length : newline + 1
}

/** For short texts only. */
export function allLines(lines: SourceLines): readonly string[] {
  return Array.from({ length: lines.count }, (_, index) => lines.text(index))
}
