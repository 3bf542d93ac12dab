import { allTokens } from "@pawl/core/record"
import type { Usage } from "@pawl/reports/usage/usage"
import { type BarLayout, lyingBar } from "./block-letters.ts"
import { plainLine } from "@pawl/plain-text"
import { count, dollars, grouped } from "./quantity.ts"
import { clip, columnsOf } from "./width.ts"

const MAX_BAR_COLUMNS = 24
const MIN_BAR_COLUMNS = 6
const MAX_NAME_COLUMNS = 40
const MIN_NAME_COLUMNS = 8

interface Column {
  readonly title: string
  readonly cell: (row: Usage) => string
  /** The first to go where there is no room has the highest. */
  readonly rank: number
}

const COLUMNS: readonly Column[] = [
  { title: "steps", cell: ({ steps }) => grouped(steps), rank: 2 },
  { title: "calls", cell: ({ calls }) => grouped(calls), rank: 4 },
  { title: "in", cell: ({ tokens }) => count(Math.round(sent(tokens))), rank: 1 },
  { title: "cached", cell: ({ tokens }) => percent(tokens.cache.read, sent(tokens)), rank: 5 },
  { title: "out", cell: ({ tokens }) => count(Math.round(tokens.output + tokens.reasoning)), rank: 3 },
  { title: "cost", cell: ({ cost }) => dollars(cost), rank: 0 },
]

/** A table with a bar for each row's share: of the cost, or of the tokens where nothing cost anything. */
export function usageLines(title: string, rows: readonly Usage[], { columns, theme, blocks }: BarLayout): string[] {
  if (rows.length === 0) return []
  const isPriced = rows.some(({ cost }) => cost > 0)
  const weight = (row: Usage) => (isPriced ? row.cost : allTokens(row.tokens))
  const most = rows.reduce((highest, row) => Math.max(highest, weight(row)), 0)
  const wanted = widest([title, ...rows.map((row) => clip(nameOf(row), MAX_NAME_COLUMNS))])
  const shown = fitting(rows, columns - Math.min(wanted, MIN_NAME_COLUMNS))
  const used = shown.reduce((all, { width }) => all + width + 2, 0)
  const name = Math.max(Math.min(wanted, columns - used), 1)
  const bar = Math.min(MAX_BAR_COLUMNS, columns - used - name - 2)
  const head = [clip(title, name).padEnd(name), ...shown.map((each) => each.title.padStart(each.width))].join("  ")
  return [
    theme.strong(head.trimEnd()),
    ...rows.map((row) => {
      const clipped = clip(nameOf(row), name)
      const cells = shown.map((each) => each.cell(row).padStart(each.width))
      const line = [clipped + " ".repeat(name - columnsOf(clipped)), ...cells].join("  ")
      const share = most > 0 ? weight(row) / most : 0
      return `${line}${bar < MIN_BAR_COLUMNS ? "" : `  ${theme.accent(lyingBar(blocks, share, bar))}`}`.trimEnd()
    }),
  ]
}

function fitting(rows: readonly Usage[], room: number): (Column & { readonly width: number })[] {
  const sized = COLUMNS.map((each) => ({ ...each, width: widest([each.title, ...rows.map((row) => each.cell(row))]) }))
  let most = COLUMNS.length
  const shown = () => sized.filter(({ rank }) => rank < most)
  while (most > 1 && shown().reduce((all, { width }) => all + width + 2, 0) > room) most--
  return shown()
}

function nameOf({ name, title }: Usage): string {
  return plainLine(title === undefined || title === "" ? name : title)
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, columnsOf(text)), 0)
}

function sent({ input, cache }: Usage["tokens"]): number {
  return input + cache.read + cache.write
}

function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)}%` : ""
}
