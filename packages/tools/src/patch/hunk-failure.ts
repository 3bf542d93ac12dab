import { closestLine } from "../edit/closest-line.ts"
import { displayName } from "../display-name.ts"
import type { LineFinder } from "./line-finder.ts"

const MAX_SHOWN = 200

export interface HunkFailure {
  /** Names the hunk at the start of the error. */
  readonly name: string
  /** Lines that were searched from line `from` on, counted from 0. */
  readonly wanted: readonly string[]
  readonly isHeader: boolean
  readonly from: number
  readonly bare: readonly string[]
  readonly finder: LineFinder
}

/** Builds the error for lines that are missing from the file or are at another position. */
export function hunkFailure({ name, wanted, isHeader, from, bare, finder }: HunkFailure): Error {
  const subject = isHeader ? 'the line after "@@" was' : "its kept and removed lines were"
  const position = from > 0 ? ` after line ${from}` : ""
  const earlier = from > 0 ? finder.find(wanted, 0) : undefined
  const missing = wanted.find((line) => line.trim() !== "" && !finder.find([line], 0))
  const closest = missing === undefined ? undefined : closestLine(bare.join("\n"), missing)
  const hints = [
    ...(earlier
      ? [
          `They stand at line ${earlier.index + 1}: give the hunks in the order of the file, and name no line below them.`,
        ]
      : []),
    ...(missing === undefined ? [] : [`This line is not in the file: ${displayName(missing.slice(0, MAX_SHOWN))}`]),
    ...(closest ? [`The closest line is ${closest.number}: ${closest.text}`] : []),
    "Nothing was changed. Read the file again and copy the lines exactly.",
  ]
  return new Error(`${name}: ${subject} not found${position}.\n${hints.join("\n")}`)
}
