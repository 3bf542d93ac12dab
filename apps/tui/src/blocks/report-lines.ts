import type { ReportLine } from "../state/view.ts"
import { clipStyled, styledWidth, wrapStyled } from "../terminal/text-width.ts"
import type { BlockLayout } from "./layout.ts"

const INDENT = "  "
/** Columns that a text needs beside its name. With fewer it is below the name. */
const MIN_TEXT_COLUMNS = 30

/** Renders lines, and rows as a table. */
export function reportLines(lines: readonly ReportLine[], layout: Pick<BlockLayout, "columns" | "theme">): string[] {
  return lines.flatMap((line, at) => {
    if (typeof line === "string") return wrapStyled(line, layout.columns)
    return rowLines(line, nameColumns(lines, at), layout)
  })
}

/** Returns the width of the names of the table that the row belongs to. */
function nameColumns(lines: readonly ReportLine[], at: number): number {
  const isRow = (line: ReportLine | undefined) => line !== undefined && typeof line !== "string"
  let first = at
  while (isRow(lines[first - 1])) first--
  let width = 0
  for (let row = first; isRow(lines[row]); row++) {
    const line = lines[row]
    if (typeof line === "object") width = Math.max(width, styledWidth(line.name))
  }
  return width
}

function rowLines(
  { name, text }: Exclude<ReportLine, string>,
  width: number,
  { columns, theme }: Pick<BlockLayout, "columns" | "theme">,
): string[] {
  const room = columns - INDENT.length - width - 2
  if (room < MIN_TEXT_COLUMNS) {
    const below = wrapStyled(text, columns - 2 * INDENT.length).map((line) => `${INDENT}${INDENT}${line}`)
    return [`${INDENT}${theme.accent(clipStyled(name, columns - INDENT.length))}`, ...(text === "" ? [] : below)]
  }
  const beside = " ".repeat(INDENT.length + width + 2)
  const padding = " ".repeat(width - styledWidth(name) + 2)
  return wrapStyled(text, room).map((line, at) =>
    at === 0 ? `${INDENT}${theme.accent(name)}${padding}${line}` : beside + line,
  )
}
