import { allTokens, type Usage } from "../stats/usage.ts"
import { plainLine } from "./plain.ts"
import { count, dollars, grouped } from "./quantity.ts"
import type { Theme } from "./theme.ts"
import { clip, columnsOf } from "./width.ts"

export interface UsagePaper {
  readonly columns: number
  readonly theme: Theme
}

const LONGEST_BAR = 24
const SHORTEST_BAR = 6
const LONGEST_NAME = 40

/** A table with a bar for each row's share: of the cost, or of the tokens where nothing cost anything. */
export function usageLines(title: string, rows: readonly Usage[], { columns, theme }: UsagePaper): string[] {
  if (rows.length === 0) return []
  const isPriced = rows.some(({ cost }) => cost > 0)
  const weight = (row: Usage) => (isPriced ? row.cost : allTokens(row.tokens))
  const cells = rows.map((row) => [
    clip(plainLine(row.name), LONGEST_NAME),
    grouped(row.steps),
    grouped(row.calls),
    count(Math.round(row.tokens.input + row.tokens.cache.read + row.tokens.cache.write)),
    count(Math.round(row.tokens.output + row.tokens.reasoning)),
    dollars(row.cost),
  ])
  const head = [title, "steps", "calls", "in", "out", "cost"]
  const widths = head.map((word, at) => Math.max(word.length, ...cells.map((row) => columnsOf(row[at] ?? ""))))
  const used = widths.reduce((all, width) => all + width + 2, 0)
  const bar = Math.min(LONGEST_BAR, columns - used)
  const most = Math.max(...rows.map(weight))
  const line = (row: readonly string[]) => row.map((cell, at) => aligned(cell, widths[at] ?? 0, at > 0)).join("  ")
  return [
    theme.strong(line(head).trimEnd()),
    ...cells.map((row, at) => {
      const share = most > 0 ? weight(rows[at] as Usage) / most : 0
      return `${line(row)}${bar < SHORTEST_BAR ? "" : `  ${theme.accent(barOf(share, bar))}`}`.trimEnd()
    }),
  ]
}

function aligned(text: string, width: number, isRight: boolean): string {
  const gap = " ".repeat(Math.max(0, width - columnsOf(text)))
  return isRight ? gap + text : text + gap
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar of a share of `width` columns, to an eighth of one; something is never shown as nothing. */
function barOf(share: number, width: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(share * width * 8))
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "")
}
