/** One line that ripgrep found. */
export interface GrepMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
  /** Where in `text` the first match starts, in UTF-16 units. */
  readonly column: number
}

/** ripgrep's JSON for text: base64 where it is no valid UTF-8. */
type Text = { readonly text: string } | { readonly bytes: string }

interface MatchRecord {
  readonly type: string
  readonly data: {
    readonly path: Text
    readonly lines: Text
    readonly line_number: number
    readonly submatches: readonly { readonly start: number }[]
  }
}

/** Reads one line of `rg --json`; undefined for records that are no match. */
export function toGrepMatch(record: string): GrepMatch | undefined {
  // Most of a record is the line: others are told apart without parsing it.
  if (!record.startsWith('{"type":"match"')) return undefined
  const { data } = JSON.parse(record) as MatchRecord
  const line = toBytes(data.lines)
  const start = data.submatches[0]?.start ?? 0
  return {
    path: toBytes(data.path).toString("utf8"),
    line: data.line_number,
    text: line.toString("utf8").replace(/\r?\n$/, ""),
    column: line.toString("utf8", 0, start).length,
  }
}

function toBytes(value: Text): Buffer {
  return "text" in value ? Buffer.from(value.text, "utf8") : Buffer.from(value.bytes, "base64")
}
