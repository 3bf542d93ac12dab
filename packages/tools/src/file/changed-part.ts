import { countNewlines } from "./count-newlines.ts"

export interface ChangedPart {
  readonly before: string
  readonly after: string
  /** How many lines both texts have in front of it. */
  readonly line: number
}

/** The whole lines in which two texts differ, with `context` lines around them: what is left to compare. */
export function changedPart(before: string, after: string, context: number): ChangedPart {
  const shorter = Math.min(before.length, after.length)
  let same = 0
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++
  const start = lineStart(before, same, context)

  const rest = Math.min(before.length, after.length) - same
  let tail = 0
  while (tail < rest && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    tail++
  // What follows is the same in both, and so is its length.
  const left = before.length - lineEnd(before, before.length - tail, context)
  return {
    before: before.slice(start, before.length - left),
    after: after.slice(start, after.length - left),
    line: countNewlines(before, 0, start),
  }
}

/** Where the line `above` lines above the one at `position` starts. */
function lineStart(text: string, position: number, above: number): number {
  let start = position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1
  for (let line = 0; line < above && start > 0; line++) start = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1
  return start
}

/** Where the line `below` lines below the one at `position` ends, its newline included. */
function lineEnd(text: string, position: number, below: number): number {
  let end = position
  for (let line = 0; line <= below && end < text.length; line++) {
    const newline = text.indexOf("\n", end)
    end = newline === -1 ? text.length : newline + 1
  }
  return end
}
