import type { StructuredPatchHunk } from "diff"
import { displayName } from "../display-name.ts"
import { changedPart } from "./changed-part.ts"
import { countNewlines } from "./count-newlines.ts"

export interface FileDiff {
  /** Unified, with three lines of context, cut at 64 KiB. If too many lines differ, the patch replaces everything. */
  readonly patch: string
  readonly additions: number
  readonly deletions: number
}

const CONTEXT = 3
const MAX_PATCH = 64 * 1024
// Diff time grows quadratically; this many changed lines take a fifth of a second.
const MAX_CHANGED_LINES = 1000
// Comparing takes about a kilobyte of memory per line.
const MAX_COMPARED_LINES = 200_000

export async function unifiedDiff(path: string, before: string, after: string): Promise<FileDiff> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import("diff")
  const name = displayName(path)
  const part = changedPart(before, after, CONTEXT)
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES }
  const isShort = countNewlines(part.before) + countNewlines(part.after) <= MAX_COMPARED_LINES
  const compared = isShort && structuredPatch(name, name, part.before, part.after, undefined, undefined, options)
  const hunks = compared ? compared.hunks.map((hunk) => moved(hunk, part.line)) : [wholeReplacement(before, after)]
  const count = (sign: string) => hunks.flatMap((hunk) => hunk.lines).filter((line) => line.startsWith(sign)).length
  const [whole] = hunks
  const counts = compared
    ? { additions: count("+"), deletions: count("-") }
    : { additions: whole?.newLines ?? 0, deletions: whole?.oldLines ?? 0 }
  const patch = { oldFileName: name, newFileName: name, oldHeader: undefined, newHeader: undefined, hunks }
  return { patch: shortened(formatPatch(patch, FILE_HEADERS_ONLY)), ...counts }
}

function moved(hunk: StructuredPatchHunk, lines: number): StructuredPatchHunk {
  return { ...hunk, oldStart: hunk.oldStart + lines, newStart: hunk.newStart + lines }
}

function wholeReplacement(before: string, after: string): StructuredPatchHunk {
  const part = changedPart(before, after, 0)
  const start = part.line + 1
  return {
    oldStart: start,
    oldLines: countLines(part.before),
    newStart: start,
    newLines: countLines(part.after),
    lines: [...signedLines("-", part.before), ...signedLines("+", part.after)],
  }
}

function countLines(text: string): number {
  return countNewlines(text) + (text === "" || text.endsWith("\n") ? 0 : 1)
}

/** Converts only as much of a long text as fits into a patch. */
function signedLines(sign: string, text: string): string[] {
  if (text === "") return []
  const lines = text
    .slice(0, MAX_PATCH)
    .split("\n")
    .map((line) => sign + line)
  if (lines.at(-1) === sign) lines.pop()
  else if (text.length <= MAX_PATCH) lines.push("\\ No newline at end of file")
  return lines
}

function shortened(patch: string): string {
  if (patch.length <= MAX_PATCH) return patch
  return `${patch.slice(0, patch.lastIndexOf("\n", MAX_PATCH))}\n... more was changed than is shown here\n`
}
