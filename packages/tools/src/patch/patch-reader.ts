import { ToolInputError } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"

const MAX_SHOWN = 80

/** Reads the lines of a patch one by one. */
export interface PatchReader {
  /** Number of the next line in the patch, from 1. */
  readonly number: number
  /** Returns the next line; undefined at the end. */
  peek(): string | undefined
  /** Advances to the line after. */
  skip(): void
  /** Returns true if only empty lines precede the next line that begins with `*** `, or the end. */
  isBlankUntilMarker(): boolean
}

/** Lines that models put around a patch: a shell here-document or a Markdown fence. */
const WRAPPING = /^(?:```|[^\n]*<<|\s*$)/

/** Reads the lines between the markers that begin and end a patch. Throws ToolInputError if a marker is missing. */
export function patchReader(text: string): PatchReader {
  const lines = text.split(/\r?\n/)
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch")
  if (begin === -1 || !lines.slice(0, begin).every((line) => WRAPPING.test(line))) {
    throw new ToolInputError('The patch has to begin with the line "*** Begin Patch".')
  }
  const end = lines.findIndex(
    (line, index) => index > begin && line.trim() === "*** End Patch" && !line.startsWith(" "),
  )
  if (end === -1) {
    throw new ToolInputError(
      'The patch has to end with the line "*** End Patch": it may have been cut. Give all of it.',
    )
  }
  const further = lines.findIndex((line, index) => index > end && line.startsWith("*** "))
  if (further !== -1) {
    throw patchError(
      further + 1,
      lines[further] ?? "",
      'the patch has ended above. Put all files between one "*** Begin Patch" and one "*** End Patch".',
    )
  }
  let at = begin + 1
  return {
    get number() {
      return at + 1
    },
    peek: () => (at < end ? lines[at] : undefined),
    skip: () => void at++,
    isBlankUntilMarker() {
      const next = lines.slice(at, end).find((line) => line !== "")
      return next === undefined || next.startsWith("*** ")
    },
  }
}

export function patchError(line: number, found: string, expected: string): ToolInputError {
  const shown = displayName(found.slice(0, MAX_SHOWN))
  return new ToolInputError(`Line ${line} of the patch is "${shown}": ${expected}`)
}
