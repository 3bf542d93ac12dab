import type { StructuredPatchHunk } from "diff"
import { displayName } from "../display-name.ts"
import { changedPart } from "./changed-part.ts"

export interface FileDiff {
  /** Unified, with three lines of context; cut at 64 KiB. Where little is shared, everything is replaced. */
  readonly patch: string
  readonly additions: number
  readonly deletions: number
}

const CONTEXT = 3
const MAX_PATCH = 64 * 1024
// Work grows with its square: this many take a fifth of a second.
const MAX_CHANGED_LINES = 1000

export async function unifiedDiff(path: string, before: string, after: string): Promise<FileDiff> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import("diff")
  const name = displayName(path)
  const part = changedPart(before, after, CONTEXT)
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGED_LINES }
  const compared = structuredPatch(name, name, part.before, part.after, undefined, undefined, options)
  const hunks = compared ? compared.hunks.map((hunk) => moved(hunk, part.line)) : [wholeReplacement(before, after)]
  const lines = hunks.flatMap((hunk) => hunk.lines)
  const patch = { oldFileName: name, newFileName: name, oldHeader: undefined, newHeader: undefined, hunks }
  return {
    patch: shortened(formatPatch(patch, FILE_HEADERS_ONLY)),
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  }
}

function moved(hunk: StructuredPatchHunk, lines: number): StructuredPatchHunk {
  return { ...hunk, oldStart: hunk.oldStart + lines, newStart: hunk.newStart + lines }
}

function wholeReplacement(before: string, after: string): StructuredPatchHunk {
  const part = changedPart(before, after, 0)
  const removed = signedLines("-", part.before)
  const added = signedLines("+", part.after)
  const oldLines = removed.filter((line) => line.startsWith("-")).length
  const newLines = added.filter((line) => line.startsWith("+")).length
  const start = part.line + 1
  return { oldStart: start, oldLines, newStart: start, newLines, lines: [...removed, ...added] }
}

function signedLines(sign: string, text: string): string[] {
  if (text === "") return []
  const lines = text.split("\n").map((line) => sign + line)
  if (lines.at(-1) === sign) lines.pop()
  else lines.push("\\ No newline at end of file")
  return lines
}

function shortened(patch: string): string {
  if (patch.length <= MAX_PATCH) return patch
  const end = patch.lastIndexOf("\n", MAX_PATCH)
  return `${patch.slice(0, end)}\n... ${patch.length - end} more characters\n`
}
