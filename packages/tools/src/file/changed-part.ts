import { countNewlines } from "./count-newlines.ts"

export interface ChangedPart {
  readonly before: string
  readonly after: string
  /** Number of equal lines before the part. */
  readonly line: number
}

/** Returns the whole lines in which two texts differ, with `context` lines around them. */
export function changedPart(before: string, after: string, context: number): ChangedPart {
  const shorter = Math.min(before.length, after.length)
  let same = 0
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++
  const start = lineStart(before, same, context)

  const rest = Math.min(before.length, after.length) - same
  let tail = 0
  while (tail < rest && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail++
  // The rest is equal in both texts and has the same length.
  const left = before.length - lineEnd(before, before.length - tail, context)
  return {
    before: before.slice(start, before.length - left),
    after: after.slice(start, after.length - left),
    line: countNewlines(before, 0, start),
  }
}

/** Returns the start of the line that is `above` lines above the one at `position`. */
function lineStart(text: string, position: number, above: number): number {
  let start = position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1
  for (let line = 0; line < above && start > 0; line++) start = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1
  return start
}

/** Returns the end of the line that is `below` lines below the one at `position`, including its newline. */
function lineEnd(text: string, position: number, below: number): number {
  let end = position
  for (let line = 0; line <= below && end < text.length; line++) {
    const newline = text.indexOf("\n", end)
    end = newline === -1 ? text.length : newline + 1
  }
  return end
}
