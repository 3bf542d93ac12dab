/** A matching line. */
export interface GrepMatch {
  readonly path: string
  /** Counts from 1. */
  readonly line: number
  /** Only about the first 64,000 characters of a long line. */
  readonly text: string
  /** Start of the first match in `text`, in UTF-16 units; undefined if unknown or after the end of `text`. */
  readonly column: number | undefined
}

/** Limit for files found in a directory; a file that the call names has no limit. */
export const MAX_SEARCHED_BYTES = 10 * 2 ** 20

/** Arguments that produce the output that `toGrepMatch` reads. Long lines are cut, so file size does not matter. */
export const MATCH_ARGS = [
  "--null",
  "--line-number",
  "--with-filename",
  "--no-heading",
  "--color=never",
  "--max-columns=64000",
  "--max-columns-preview",
]
/** Used with `MATCH_ARGS`. Not for large files, because ripgrep then remembers every match of a line. */
export const COLUMN_ARG = "--column"

const CUT = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/
const MAX_LENGTH = 64_000
// ripgrep prints this note after a file's matches without a NUL, so it precedes the next path.
const BINARY_NOTE = /^.*: (?:WARNING: stopped searching binary file after match|binary file matches) \(found [^\n]*\)\n/

/** Parses a path, a NUL, a line number, a column if `hasColumn` is set, and the line. */
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

/** `column` counts bytes from 1. */
function toColumn(text: string, column: number): number | undefined {
  const before = Buffer.from(text).subarray(0, column - 1)
  return before.length === column - 1 ? before.toString("utf8").length : undefined
}
