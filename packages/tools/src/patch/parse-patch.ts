import { ToolInputError } from "@pawl/core/tool"
import type { FileChange } from "./patch.ts"
import { isNoNewline, parseHunks } from "./parse-hunks.ts"
import { patchError, type PatchReader, patchReader } from "./patch-reader.ts"

const FILE = /^\*\*\* (Add|Update|Delete) File: *(\S|\S.*\S)\s*$/
const MOVE = /^\*\*\* Move to: *(\S|\S.*\S)\s*$/

/**
 * ```
 * *** Begin Patch
 * *** Add File: <path>        every line begins with "+"
 * *** Delete File: <path>
 * *** Update File: <path>
 * *** Move to: <path>         optional
 * @@ <a line above>           optional, also several; then lines that begin with " ", "+" or "-"
 * *** End of File             optional: the hunk's last old line is the file's last line
 * *** End Patch
 * ```
 *
 * Throws ToolInputError that names the invalid line.
 */
export function parsePatch(text: string): readonly FileChange[] {
  if (!text.isWellFormed()) throw new ToolInputError("The patch contains half a character. Give it without that.")
  const reader = patchReader(text)
  const changes: FileChange[] = []
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    if (line.trim() === "") reader.skip()
    else changes.push(parseFile(reader, line))
  }
  if (changes.length > 0) return changes
  throw new ToolInputError('The patch changes no file. Add "*** Update File: <path>" and what changes there.')
}

function parseFile(reader: PatchReader, head: string): FileChange {
  const [, type, path] = FILE.exec(head) ?? []
  const { number: line } = reader
  if (type === undefined || path === undefined) {
    throw patchError(
      line,
      head,
      'expected "*** Add File: <path>", "*** Update File: <path>" or "*** Delete File: <path>".',
    )
  }
  reader.skip()
  if (type === "Add") return { type: "add", path, line, content: parseContent(reader) }
  if (type === "Delete") return { type: "delete", path, line }
  const [, target] = MOVE.exec(reader.peek() ?? "") ?? []
  if (target !== undefined) reader.skip()
  const hunks = parseHunks(reader)
  if (hunks.length === 0 && target === undefined) {
    throw patchError(line, head, 'no change of the file follows. Give lines that begin with " ", "+" or "-" below it.')
  }
  return { type: "update", path, line, hunks, ...(target === undefined ? {} : { moveTo: { path: target } }) }
}

function parseContent(reader: PatchReader): string {
  const lines: string[] = []
  for (let line = reader.peek(); line !== undefined && !line.startsWith("*** "); line = reader.peek()) {
    // Ignore empty lines between two files.
    if (line === "" && reader.isBlankUntilMarker()) break
    if (isNoNewline(line)) {
      reader.skip()
      continue
    }
    if (!line.startsWith("+")) {
      throw patchError(reader.number, line, 'every line of a new file begins with "+", also an empty one.')
    }
    lines.push(`${line.slice(1)}\n`)
    reader.skip()
  }
  return lines.join("")
}
