import { amount } from "./amount.ts"
import { type Row, verdict } from "./row.ts"

const HEAD = ["benchmark", "what", "result", "goal", "", "from"]
/** Columns of numbers, which are right-aligned. */
const RIGHT = new Set([2, 3])

export function table(rows: readonly Row[]): string {
  const cells = [HEAD, ...rows.map(toCells)]
  const widths = HEAD.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const lines = cells.map((line) => {
    const padded = line.map((cell, column) => {
      const width = widths[column] ?? 0
      return RIGHT.has(column) ? cell.padStart(width) : cell.padEnd(width)
    })
    return padded.join("  ").trimEnd()
  })
  lines.splice(1, 0, widths.map((width) => "─".repeat(width)).join("  "))
  return lines.join("\n")
}

function toCells(row: Row): string[] {
  const { benchmark, what, result, unit, goal, from } = row
  const limit = goal ? ("atMost" in goal ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`) : "–"
  const judged = `${verdict(row) ?? ""}${goal?.informative ? " (information)" : ""}`
  return [benchmark, what, amount(result, unit), limit, judged, from]
}
