/** One line that ripgrep found. */
export interface GrepMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** Of a long line the start: about 64,000 characters. */
  readonly text: string
  /** Where in `text` the first match starts, in UTF-16 units; undefined where that is not known, or behind `text`. */
  readonly column: number | undefined
}

/** Of a file that is not named, but found in a directory. */
export const MAX_SEARCHED_BYTES = 10 * 2 ** 20

/** How ripgrep must print what `toGrepMatch` reads. Lines are cut, so that the size of a file does not matter. */
export const MATCH_ARGS = [
  "--null",
  "--line-number",
  "--with-filename",
  "--no-heading",
  "--color=never",
  "--max-columns=64000",
  "--max-columns-preview",
]
/** Together with `MATCH_ARGS`. ripgrep then remembers every match in a line, so this is not for files of any size. */
export const COLUMN_ARG = "--column"

const CUT = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/
const MAX_LENGTH = 64_000
// Stands alone, without a NUL, behind the matches in a file: in front of the next path.
const BINARY_NOTE = /^.*: (?:WARNING: stopped searching binary file after match|binary file matches) \(found [^\n]*\)\n/

/** Reads a path, a NUL and a line with its number, and column when it was asked for. */
export function toGrepMatch(record: string, hasColumn: boolean): GrepMatch {
  const nul = record.indexOf("\0")
  let path = record.slice(0, nul)
  while (BINARY_NOTE.test(path)) path = path.replace(BINARY_NOTE, "")
  const pattern = hasColumn ? /^(\d+):(\d+):/ : /^(\d+):()/
  const [head = "", line, column] = pattern.exec(record.slice(nul + 1)) ?? []
  const printed = record.slice(nul + 1 + head.length).replace(/\r$/, "")
  const text = printed.length > MAX_LENGTH ? printed.replace(CUT, "") : printed
  return { path, line: Number(line), text, column: column ? toColumn(text, Number(column)) : undefined }
}

/** From bytes, counted from 1. */
function toColumn(text: string, column: number): number | undefined {
  const before = Buffer.from(text).subarray(0, column - 1)
  return before.length === column - 1 ? before.toString("utf8").length : undefined
}
