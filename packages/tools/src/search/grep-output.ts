import { join } from "node:path"
import { firstCharacters, lastCharacters } from "../characters.ts"
import { displayName } from "../display-name.ts"
import { MAX_BYTES, MAX_LINE_LENGTH } from "../limits.ts"
import type { GrepMatch } from "./grep-match.ts"

export interface GrepOutput {
  readonly text: string
  /** Number of matches in `text`. Matches beyond 50 KiB are left out. */
  readonly count: number
}

// Characters shown before the match in a long line.
const MAX_CHARACTERS_BEFORE = 500

/** Formats matches grouped by file, in the order found. Their paths are relative to `root`. */
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
  const start =
    column !== undefined && column + MAX_CHARACTERS_BEFORE > MAX_LINE_LENGTH ? column - MAX_CHARACTERS_BEFORE : 0
  const rest = lastCharacters(text, text.length - start)
  const shown = firstCharacters(rest, MAX_LINE_LENGTH)
  const end = shown.length < rest.length ? "..." : ""
  const note = column === undefined ? " (the start of a long line; the match may be further on)" : ""
  return `${start > 0 ? "..." : ""}${shown}${end}${note}`
}
