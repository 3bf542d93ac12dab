import { expect, it } from "vitest"
import { nothing, type Usage } from "@pawl/reports/usage/usage"
import { blocksFor } from "./block-letters.ts"
import { createTheme } from "./theme.ts"
import { usageLines } from "./usage-lines.ts"
import { columnsOf } from "./width.ts"

function usage(changes: Partial<Usage>): Usage {
  const tokens = { input: 1000, output: 50, reasoning: 0, cache: { read: 11_400, write: 0 } }
  return { ...nothing("local/m"), steps: 3, calls: 1200, tokens, ...changes }
}
const theme = createTheme(false)
const blocks = blocksFor({})

it("shows each row's share of the cost as a bar", () => {
  const rows = [usage({ name: "dear", cost: 2 }), usage({ name: "cheap", cost: 0.5 }), usage({ name: "free" })]

  expect(usageLines("model", rows, { columns: 80, theme, blocks })).toEqual([
    "model  steps  calls     in  cached  out     cost",
    `dear       3  1,200  12.4k     92%   50    $2.00  ${"█".repeat(24)}`,
    `cheap      3  1,200  12.4k     92%   50  $0.5000  ${"█".repeat(6)}`,
    "free       3  1,200  12.4k     92%   50  $0.0000",
  ])
})

it("goes by tokens where nothing cost anything, and leaves bars out where there is no room", () => {
  const tokens = { input: 3100, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  const rows = [usage({}), usage({ name: "other", tokens })]

  expect(usageLines("model", rows, { columns: 68, theme, blocks })[2]).toMatch(/█▉?[▏▎▍▌▋▊▉]?$/)
  for (const line of usageLines("model", rows, { columns: 48, theme, blocks }))
    expect(columnsOf(line)).toBeLessThanOrEqual(48)
  expect(usageLines("model", rows, { columns: 48, theme, blocks }).join()).not.toContain("█")
})

it("keeps its columns for wide characters, and cuts long names", () => {
  const lines = usageLines("project", [usage({ name: "/日本語" }), usage({ name: "/x".repeat(100) })], {
    columns: 100,
    ...{ theme, blocks },
  })

  expect(new Set(lines.slice(1).map((line) => columnsOf(line.split("  3  ")[0] ?? ""))).size).toBe(1)
})

it.each([120, 60, 40, 24, 12])("stays within %i columns, and keeps what it costs", (columns) => {
  const lines = usageLines("session", [usage({ title: "A rather long title", cost: 12.5 })], { columns, theme, blocks })

  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
  expect(lines[1]).toContain("$12.50")
})

it("draws with ASCII where the terminal has nothing else", () => {
  const [, line = ""] = usageLines("day", [usage({ cost: 1 })], {
    columns: 90,
    theme,
    blocks: blocksFor({ LANG: "C" }),
  })

  expect(line).toContain("########")
  expect(line).toMatch(/^[ -~]*$/)
})
