import { cellText } from "./escape.ts"

export interface Cell {
  readonly text: string
  readonly isHeader: boolean
  readonly columns: number
  readonly rows: number
}

// More than real tables have; a page may claim any number.
const MAX_SPAN = 50
const MAX_COLUMNS = 200
const MAX_PADDED_CELLS = 200_000

/** Parses the number of rows or columns that a cell spans. */
export function spanOf(value: string | undefined): number {
  const span = Number.parseInt(value ?? "", 10)
  return span > 1 ? Math.min(span, MAX_SPAN) : 1
}

/** Formats a table with one line per row. A cell that spans several columns or rows has its text in the first one. */
export function tableText(rows: readonly (readonly Cell[])[], hasMarkup: boolean): string {
  const lines = grid(rows)
  const widest = lines.reduce((width, line) => Math.max(width, line.length), 0)
  const width = widest * lines.length > MAX_PADDED_CELLS ? 0 : widest
  const texts = lines.map((line) =>
    Array.from({ length: Math.max(width, line.length) }, (_, column) => line[column] ?? ""),
  )
  if (!hasMarkup)
    return texts
      .map((line) =>
        line
          .map((text) => text.replace(/ *\n */g, " "))
          .join("\t")
          .trimEnd(),
      )
      .join("\n")
  const isHeader = rows[0]?.every((cell) => cell.isHeader) ?? false
  const [first = [], ...others] = texts.map((line) => line.map(cellText))
  // Markdown requires a header, so it may be empty.
  const [header, body] = isHeader ? [first, others] : [first.map(() => ""), [first, ...others]]
  return [header, header.map(() => "---"), ...body].map((line) => `| ${line.join(" | ")} |`).join("\n")
}

function grid(rows: readonly (readonly Cell[])[]): string[][] {
  // Number of rows below that are covered by a cell above, per column.
  const taken: number[] = []
  return rows.map((cells) => {
    const line: string[] = []
    const claimed: [column: number, rows: number][] = []
    const isWide = () => line.length >= MAX_COLUMNS
    const skipTaken = () => {
      while ((taken[line.length] ?? 0) > 0) line.push("")
    }
    for (const { text, columns, rows: height } of cells) {
      skipTaken()
      for (let column = 0; column < (isWide() ? 1 : columns); column++) {
        if (!isWide()) claimed.push([line.length, height])
        line.push(column === 0 ? text : "")
      }
    }
    skipTaken()
    for (const [column, left] of taken.entries()) taken[column] = Math.max(0, (left ?? 0) - 1)
    for (const [column, height] of claimed) taken[column] = Math.max(taken[column] ?? 0, height - 1)
    return line
  })
}
