import { toByteView } from "../file/byte-view.ts"
import { decodeText, encodeText, shownText, toCarriageReturns, usesCarriageReturns } from "../file/text-file.ts"
import { closestLine } from "./closest-line.ts"
import { type Edit, type Replacement, replacement } from "./replacement.ts"

export interface EditedBytes {
  readonly bytes: Buffer
  /** Messages for the model about a successful edit. */
  readonly notes: string[]
}

/**
 * Applies an edit to a file's bytes. Bytes outside of the edit stay unchanged in any encoding. Inserted lines get the
 * file's line endings. Throws an error from which the model can correct the edit.
 */
export function editedBytes(before: Buffer, edit: Edit, file: string): EditedBytes {
  const { text, encoding } = decodeText(before)
  const view = encoding === "bytes" ? toByteView(text, [edit.oldString, edit.newString]) : (same: string) => same
  const newString = usesCarriageReturns(text) ? toCarriageReturns(edit.newString) : edit.newString
  const result = replacement(text, { ...edit, oldString: view(edit.oldString), newString: view(newString) })
  if (result.type === "not-found") throw notFound(shownText(before), edit.oldString, file, encoding === "bytes")
  if (result.type === "ambiguous") throw ambiguous(result, file)
  return { bytes: encodeText(result.text, encoding), notes: tolerance(result.matcher) }
}

function tolerance(matcher: string): string[] {
  if (matcher === "exact") return []
  return [`oldString did not match exactly (found by ${matcher}): check the changed lines.`]
}

function notFound(text: string, oldString: string, file: string, isDamaged: boolean): Error {
  const closest = closestLine(text, oldString)
  const hints = [
    closest ? `The closest line is ${closest.number}: ${closest.text}` : "No line comes close to it.",
    ...(isDamaged && oldString.includes("\uFFFD")
      ? ["The file is not valid UTF-8: choose an oldString without the replacement character \uFFFD."]
      : []),
    "Read the file again and copy the text exactly, with its indentation.",
  ]
  return new Error(`oldString was not found in ${file}.\n${hints.join("\n")}`)
}

function ambiguous({ lines, hasMore }: Extract<Replacement, { type: "ambiguous" }>, file: string): Error {
  const count = hasMore ? `more than ${lines.length}` : lines.length
  return new Error(
    `oldString matches ${count} times in ${file}, at lines ${lines.join(", ")}${hasMore ? ", ..." : ""}. ` +
      "Add surrounding lines to make it unique, or set replaceAll to change every occurrence.",
  )
}
