import { allTokens } from "@pawl/core/record"
import { daysBetween } from "@pawl/reports/usage/days"
import { type Aspect, type Usage, type UsageTable } from "@pawl/reports/usage/usage"
import { dayChart } from "./day-chart.ts"
import { count, dollars, plural } from "./quantity.ts"
import type { BarLayout } from "./block-letters.ts"
import { usageLines } from "./usage-lines.ts"
import { wrap } from "./flow.ts"

export interface ReportOf {
  readonly aspects: readonly Aspect[]
  /** Rows of a table; 0: all. */
  readonly top: number
  /** Requested number of days. */
  readonly days: number | undefined
  /** `2026-11-22` */
  readonly today: string
}

/** Default number of days in a chart. */
const CHART_DAYS = 30

/** Renders a chart of the days, the tables and the totals. */
export function usageReport(table: UsageTable, { aspects, top, days, today }: ReportOf, layout: BarLayout): string[] {
  const chart = aspects.includes("day") ? chartOf(table, { days, today }, layout) : []
  const tables = aspects.map((aspect) => tableOf(aspect, table.rows(aspect), top, layout))
  const figures = wholeOf(table).join(", ")
  const whole = wrap(figures, layout.columns).map((line, at) => (at === 0 ? layout.theme.strong(line) : line))
  return [chart, ...tables, whole]
    .filter((block) => block.length > 0)
    .flatMap((block, at) => (at > 0 ? ["", ...block] : block))
}

function chartOf(table: UsageTable, { days, today }: Pick<ReportOf, "days" | "today">, layout: BarLayout): string[] {
  const rows = new Map(table.rows("day").map((row) => [row.name, row]))
  const [first = today] = rows.keys()
  const isPriced = table.total().cost > 0
  const names = daysBetween(days === undefined ? first : "", today, days ?? CHART_DAYS)
  if (names.length < 2) return []
  const amountOf = (row: Usage | undefined) => (row ? (isPriced ? row.cost : allTokens(row.tokens)) : 0)
  const bars = names.map((label) => ({ label, amount: amountOf(rows.get(label)) }))
  const title = isPriced ? "cost a day" : "tokens a day"
  return dayChart({ title, days: bars, written: isPriced ? dollars : count }, layout)
}

function tableOf(aspect: Aspect, rows: readonly Usage[], top: number, layout: BarLayout): string[] {
  const isDated = aspect === "day" || aspect === "hour"
  const shown = top === 0 ? rows : isDated ? rows.slice(-top) : rows.slice(0, top)
  const left = rows.length - shown.length
  const more = left === 0 ? [] : [layout.theme.faint(`and ${plural(left, "row")} more: --top 0`)]
  return [...usageLines(aspect, shown, layout), ...more]
}

function wholeOf(table: UsageTable): string[] {
  const { steps, calls, requests, cost, retries, estimated, tokens } = table.total()
  const days = table.rows("day").length
  const sessions = table.rows("session").length
  const each = (number: number, of: string) => (number > 1 && cost > 0 ? [`${dollars(cost / number)} ${of}`] : [])
  return [
    ...[plural(steps, "step"), plural(calls, "tool call"), plural(requests, "request")],
    ...[`${count(allTokens(tokens))} tokens`, dollars(cost)],
    ...each(days, `a day on ${plural(days, "day")}`),
    ...each(sessions, `a session in ${plural(sessions, "session")}`),
    ...(retries > 0 ? [`${dollars(retries)} of it for failed attempts`] : []),
    ...(estimated > 0
      ? [`${dollars(estimated)} of it by estimate, for answers that broke off and reports that cannot be true`]
      : []),
  ]
}
