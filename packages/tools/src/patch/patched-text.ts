import { usesCarriageReturns } from "../file/text-file.ts"
import { createLineFinder, type FoundLines, type LineFinder } from "./line-finder.ts"
import { hunkFailure } from "./hunk-failure.ts"
import type { Hunk, HunkLine } from "./patch.ts"

export interface PatchedText {
  readonly text: string
  /** Messages for the model about a successful patch. */
  readonly notes: readonly string[]
}

interface PlacedHunk {
  readonly index: number
  readonly lines: readonly HunkLine[]
  readonly note?: string
}

/**
 * Applies hunks in order. Kept lines stay unchanged, also if they matched with tolerance. Added lines get the text's
 * line endings, and the text keeps or lacks its final newline as before. Throws an error that names the hunk, from
 * which the model can correct it.
 */
export function patchedText(text: string, hunks: readonly Hunk[], file: string): PatchedText {
  // Each line includes its line end.
  const lines = text === "" ? [] : text.split(/(?<=\n)/)
  const bare = lines.map((line) => line.replace(/\r?\n$/, ""))
  const finder = createLineFinder(bare)
  const end = usesCarriageReturns(text) ? "\r\n" : "\n"
  const patched: string[] = []
  const notes: string[] = []
  let at = 0
  for (const [number, hunk] of hunks.entries()) {
    const name = `Hunk ${number + 1} of ${file} (line ${hunk.line} of the patch)`
    const placed = placedHunk(hunk, { name, from: at, bare, finder })
    if (placed.note !== undefined) notes.push(placed.note)
    for (; at < placed.index; at++) patched.push(lines[at] ?? "")
    for (const { sign, text: added } of placed.lines) {
      if (sign === "+") patched.push(added + end)
      else if (sign === " ") patched.push(lines[at++] ?? "")
      else at++
    }
  }
  for (; at < lines.length; at++) patched.push(lines[at] ?? "")
  return { text: joined(patched, end, text === "" || text.endsWith("\n")), notes }
}

interface HunkContext {
  readonly name: string
  readonly from: number
  readonly bare: readonly string[]
  readonly finder: LineFinder
}

function placedHunk(hunk: Hunk, { name, from, bare, finder }: HunkContext): PlacedHunk {
  let start = from
  for (const header of hunk.headers) {
    const found = finder.find([header], start)
    if (!found) throw hunkFailure({ name, wanted: [header], isHeader: true, from: start, bare, finder })
    start = found.index + 1
  }
  const wanted = oldLines(hunk.lines)
  if (wanted.length === 0) {
    return { index: hunk.headers.length > 0 && !hunk.isAtEnd ? start : bare.length, lines: hunk.lines }
  }
  const found = finder.find(wanted, start, hunk.isAtEnd)
  if (found) return { index: found.index, lines: hunk.lines, ...noteOf(found, name, hunk) }
  // Models may take the final line end for an empty line below it.
  const shorter = withoutEmptyEnd(hunk.lines)
  const again = shorter && finder.find(oldLines(shorter), start, hunk.isAtEnd)
  if (shorter && again) return { index: again.index, lines: shorter, ...noteOf(again, name, hunk) }
  throw hunkFailure({ name, wanted, isHeader: false, from: start, bare, finder })
}

function oldLines(lines: readonly HunkLine[]): readonly string[] {
  return lines.filter(({ sign }) => sign !== "+").map(({ text }) => text)
}

function withoutEmptyEnd(lines: readonly HunkLine[]): readonly HunkLine[] | undefined {
  const last = lines.findLastIndex(({ sign }) => sign !== "+")
  if (lines[last]?.sign !== " " || lines[last].text !== "") return undefined
  const shorter = lines.toSpliced(last, 1)
  return oldLines(shorter).length > 0 ? shorter : undefined
}

/** Throws if a tolerant match is ambiguous. */
function noteOf({ index, tolerance, next }: FoundLines, name: string, hunk: Hunk): { note?: string } {
  const lines = next === undefined ? "" : `lines ${index + 1} and ${next + 1}`
  if (tolerance !== undefined) {
    if (next !== undefined) {
      throw new Error(
        `${name} matches no lines exactly, and but for ${tolerance} it matches at ${lines}. ` +
          'Copy its lines exactly, or name a line above them with "@@ ".',
      )
    }
    return { note: `${name} did not match exactly (but for ${tolerance}): check the changed lines.` }
  }
  if (next === undefined || hunk.headers.length > 0 || hunk.isAtEnd) return {}
  return { note: `${name} matches at ${lines}; the first place was changed. Check that it is the right one.` }
}

function joined(lines: string[], end: string, isEnded: boolean): string {
  const last = lines.length - 1
  return lines
    .map((line, index) => {
      if (index < last) return line.endsWith("\n") ? line : line + end
      return isEnded ? line : line.replace(/\r?\n$/, "")
    })
    .join("")
}
