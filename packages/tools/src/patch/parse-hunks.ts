import type { Hunk, HunkLine } from "./patch.ts"
import { patchError, type PatchReader } from "./patch-reader.ts"

interface OpenHunk extends Hunk {
  readonly headers: string[]
  readonly lines: HunkLine[]
  isAtEnd: boolean
  /** Number of empty lines at the end without a leading space. They may be there for layout only. */
  loose: number
}

// Ignored, because models often count lines wrongly. The lines themselves locate the hunk.
const LINE_NUMBERS = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/

/** Reads the hunks of one file. */
export function parseHunks(reader: PatchReader): readonly Hunk[] {
  const hunks: OpenHunk[] = []
  let open: OpenHunk | undefined
  for (let line = reader.peek(); line !== undefined && !/^\*\*\* (?!End of File)/.test(line); line = reader.peek()) {
    const { number } = reader
    if (line.startsWith("@@")) {
      if (!open || open.lines.length > 0 || open.isAtEnd) hunks.push((open = openHunk(number)))
      const header = headerOf(line)
      if (header !== undefined) open.headers.push(header)
    } else if (line.startsWith("*** End of File")) {
      if (!open) throw patchError(number, line, "no lines of a hunk stand above it.")
      open.isAtEnd = true
    } else if (!isNoNewline(line)) {
      if (!open || open.isAtEnd) hunks.push((open = openHunk(number)))
      open.lines.push(hunkLine(line, number))
      open.loose = line === "" ? open.loose + 1 : 0
    }
    reader.skip()
  }
  return hunks.map(closed).filter(({ lines }) => lines.length > 0)
}

function openHunk(line: number): OpenHunk {
  return { line, headers: [], lines: [], isAtEnd: false, loose: 0 }
}

function closed({ line, headers, lines, isAtEnd, loose }: OpenHunk): Hunk {
  return { line, headers, lines: lines.slice(0, lines.length - loose), isAtEnd }
}

function headerOf(line: string): string | undefined {
  if (LINE_NUMBERS.test(line)) return undefined
  const header = line.slice(2).replace(/^ /, "").replace(/ @@$/, "")
  return header.trim() === "" ? undefined : header
}

/** Ignored, because a change never adds or removes a file's final newline. */
export function isNoNewline(line: string): boolean {
  return line.startsWith("\\ No newline at end of file")
}

function hunkLine(line: string, number: number): HunkLine {
  if (line === "") return { sign: " ", text: "" }
  const [sign] = line
  if (sign === " " || sign === "+" || sign === "-") return { sign, text: line.slice(1) }
  throw patchError(number, line, 'a line of a hunk begins with " " (kept), "+" (added) or "-" (removed).')
}
