import { expect, it } from "vitest"
import { blocksFor } from "./block-letters.ts"
import { dayChart } from "./day-chart.ts"
import { dollars } from "./quantity.ts"
import { createTheme } from "./theme.ts"
import { columnsOf } from "./width.ts"

const theme = createTheme(false)
const blocks = blocksFor({ LANG: "en_US.UTF-8" })
const days = [0, 1, 4, 2, 0.001].map((amount, at) => ({ label: `2026-11-0${at + 1}`, amount }))

it("has a bar for each day, of which something is never shown as nothing", () => {
  expect(dayChart({ title: "cost a day", days, written: dollars }, { columns: 60, theme, blocks })).toEqual([
    "cost a day",
    "$4.00        ██",
    "             ██",
    "             ██ ▄▄",
    "          ▂▂ ██ ██",
    "          ██ ██ ██ ▁▁",
    "       ──────────────",
    "       11-01    11-05",
  ])
})

it.each([120, 80, 40, 22])("shows the last days that there is room for in %i columns", (columns) => {
  const many = Array.from({ length: 90 }, (_, at) => ({ label: `2026-00-${at + 10}`, amount: at + 1 }))
  const lines = dayChart({ title: "cost a day", days: many, written: dollars }, { columns, theme, blocks })

  for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
  expect(lines.at(-1)).toMatch(/99$/)
})

it("is nothing where there is no room, or nothing to show", () => {
  expect(dayChart({ title: "x", days, written: dollars }, { columns: 12, theme, blocks })).toEqual([])
  const free = days.map((day) => ({ ...day, amount: 0 }))
  expect(dayChart({ title: "x", days: free, written: dollars }, { columns: 80, theme, blocks })).toEqual([])
})

it("is drawn with ASCII where the terminal has nothing else", () => {
  const layout = { columns: 60, theme, blocks: blocksFor({ LC_ALL: "C", LANG: "en_US.UTF-8" }) }

  expect(dayChart({ title: "x", days, written: dollars }, layout).join("")).toMatch(/^[ -~]*$/)
})
