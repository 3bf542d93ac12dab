import type { BarLayout } from "./block-letters.ts"

export interface DayChart {
  readonly title: string
  /** In their order; `label`: `2026-11-22`. */
  readonly days: readonly { readonly label: string; readonly amount: number }[]
  readonly written: (amount: number) => string
}

const HEIGHT = 5
const MIN_COLUMNS = 20

/** Renders a vertical bar per day, or for the last days that fit. Empty if no day fits. */
export function dayChart({ title, days, written }: DayChart, { columns, theme, blocks }: BarLayout): string[] {
  const most = Math.max(0, ...days.map(({ amount }) => amount))
  if (most === 0 || columns < MIN_COLUMNS) return []
  const scale = written(most).length
  const room = columns - scale - 2
  const wide = days.length * 3 <= room ? 3 : days.length * 2 <= room ? 2 : 1
  const shown = days.slice(-Math.floor(room / wide))
  const bar = wide === 1 ? 1 : wide - 1
  const rows = Array.from({ length: HEIGHT }, (_, at) => {
    const level = HEIGHT - 1 - at
    const cells = shown.map(({ amount }) => {
      const eighths = Math.max(amount > 0 ? 1 : 0, Math.round((amount / most) * HEIGHT * 8))
      const cell = blocks.standing[Math.min(8, Math.max(0, eighths - level * 8))] ?? " "
      return cell.repeat(bar).padEnd(wide)
    })
    const label = (level === HEIGHT - 1 ? written(most) : "").padStart(scale)
    return `${theme.faint(label)}  ${theme.accent(cells.join("").trimEnd())}`.trimEnd()
  })
  const width = Math.max(shown.length * wide - (wide - bar), 1)
  const first = (shown[0]?.label ?? "").slice(5)
  const last = (shown.at(-1)?.label ?? "").slice(5)
  const between = width - first.length - last.length
  const ends =
    shown.length === 1 || between < 1 ? last.padStart(Math.min(width, columns)) : first + " ".repeat(between) + last
  const margin = " ".repeat(scale + 2)
  return [
    theme.strong(title),
    ...rows,
    theme.faint(margin + blocks.line.repeat(width)),
    theme.faint(`${margin}${ends}`.slice(0, columns)),
  ]
}
