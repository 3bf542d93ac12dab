import { join } from "node:path"
import { firstCharacters, lastCharacters } from "../characters.ts"
import { displayName } from "../display-name.ts"
import { MAX_BYTES, MAX_LINE_LENGTH } from "../limits.ts"
import type { GrepMatch } from "./grep-match.ts"

export interface GrepOutput {
  readonly text: string
  /** How many matches `text` shows: what does not fit into 50 KiB is left out. */
  readonly count: number
}

// Of a long line the part around the match is shown, with so much in front of it.
const LEAD = 500

/** The matches grouped by file, in the order found; `root` is what their paths are relative to. */
export function grepOutput(matches: readonly GrepMatch[], root: string): GrepOutput {
  const lines: string[] = []
  let bytes = 0
  let count = 0
  let path: string | undefined
  for (const match of matches) {
    const heading =
      match.path === path ? [] : [...(path === undefined ? [] : [""]), `${displayName(join(root, match.path))}:`]
    const added = [...heading, `  Line ${match.line}: ${shownText(match)}`]
    bytes += Buffer.byteLength(added.join("\n")) + 1
    if (bytes > MAX_BYTES) break
    lines.push(...added)
    count++
    path = match.path
  }
  return { text: lines.join("\n"), count }
}

function shownText({ text, column }: GrepMatch): string {
  if (text.length <= MAX_LINE_LENGTH) return text
  const start = column !== undefined && column + LEAD > MAX_LINE_LENGTH ? column - LEAD : 0
  const rest = lastCharacters(text, text.length - start)
  const shown = firstCharacters(rest, MAX_LINE_LENGTH)
  const end = shown.length < rest.length ? "..." : ""
  const note = column === undefined ? " (the start of a long line; the match may be further on)" : ""
  return `${start > 0 ? "..." : ""}${shown}${end}${note}`
}
