import { ToolInputError } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"

const MAX_SHOWN = 80

/** The lines of a patch, one after the other. */
export interface PatchReader {
  /** Of the next line in the patch, from 1. */
  readonly number: number
  /** The next line; undefined at the end. */
  peek(): string | undefined
  /** Goes on to the line after. */
  skip(): void
  /** Whether nothing but empty lines comes before the next line that begins with `*** `, or before the end. */
  isBlankUntilMarker(): boolean
}

/** What models put around a patch that they were told to write as a shell would read it, or as Markdown. */
const WRAPPING = /^(?:```|[^\n]*<<|\s*$)/

/** Reads what stands between the two lines that begin and end a patch. Throws ToolInputError where they are missing. */
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
