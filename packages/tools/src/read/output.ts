import { leftOutNotes } from "../search/left-out.ts"
import type { DirectoryPage } from "./read-directory.ts"
import type { ReadText } from "./read-text.ts"
import type { PageRange } from "./text-page.ts"

/** Formats a page of a text file for the model. */
export function fileOutput(path: string, text: ReadText, range: PageRange): string {
  const lines = text.lines.map((line, index) => `${range.offset + index}: ${line}`)
  return [
    `<path>${path}</path>`,
    "<type>file</type>",
    "<content>",
    ...lines,
    ...(lines.length > 0 ? [""] : []),
    ...(text.note === undefined ? [] : [text.note]),
    ...(text.isDamaged ? ["(Some bytes are not valid UTF-8 and are shown as \uFFFD.)"] : []),
    fileFooter(text, range),
    "</content>",
  ].join("\n")
}

function fileFooter({ lines, next, total, isWhole }: ReadText, { offset }: PageRange): string {
  if (total === 0) return "(The file is empty - total 0 lines)"
  if (next === undefined) return `(End of file - total ${total} lines)`
  const shown = `lines ${offset}-${offset + lines.length - 1}${isWhole ? ` of ${total}` : ""}`
  return `(Showing ${shown}. Use offset=${next} to continue.)`
}

/** Formats a page of a directory for the model. */
export function directoryOutput(
  path: string,
  { entries, total, denied, hasHidden }: DirectoryPage,
  { offset }: PageRange,
): string {
  const last = offset - 1 + entries.length
  const footer =
    last < total
      ? `(Showing entries ${offset}-${last} of ${total}. Use offset=${last + 1} to continue.)`
      : `(${total} ${total === 1 ? "entry" : "entries"})`
  return [
    ...[`<path>${path}</path>`, "<type>directory</type>", "<entries>", ...entries, "", footer],
    ...leftOutNotes({ denied, hasHidden }),
    "</entries>",
  ].join("\n")
}
