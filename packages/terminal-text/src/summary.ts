import type { Totals } from "@pawl/reports/usage/run-totals"
import { wrap } from "./flow.ts"
import { plainLine } from "@pawl/plain-text"
import { count, dollars, duration, plural } from "./quantity.ts"
import type { Theme } from "./theme.ts"
import { columnsOf } from "./width.ts"

export interface SummaryFacts {
  readonly totals: Totals
  /** Set if a cost of 0 means an unknown price. */
  readonly isPriceUnknown?: boolean
  /** Milliseconds. */
  readonly took: number
  readonly sessionID: string
  /** Location of the storage. */
  readonly location: string
  /** provider/model */
  readonly model: string
  /** Command that continues the session. */
  readonly next?: string
}

/** Renders the summary at the end of a run. */
export function summaryLines(facts: SummaryFacts, columns: number, theme: Theme): string[] {
  const { totals, took, model, sessionID, location, next } = facts
  const figures = [
    totals.steps > 0 ? plural(totals.steps, "step") : "",
    totals.calls > 0 ? plural(totals.calls, "tool call") : "",
    subagentFigures(totals),
    tokenFigures(totals.tokens),
    costFigure(facts),
    duration(took),
    plainLine(model),
  ]
  return [
    ...packed(
      figures.filter((figure) => figure !== ""),
      columns,
    )
      .flatMap((line) => wrap(line, columns))
      .map((line) => theme.faint(line)),
    ...packed([`session ${sessionID}`, `in ${plainLine(location)}`], columns, " ").map((line) => theme.faint(line)),
    ...(next === undefined ? [] : [`${theme.faint("go on:")} ${next}`]),
  ]
}

function costFigure({ totals: { cost, retries, tokens }, isPriceUnknown = false }: SummaryFacts): string {
  if (cost > 0) return dollars(cost) + (retries > 0 ? ` (${dollars(retries)} for failed attempts)` : "")
  return isPriceUnknown && tokenFigures(tokens) !== "" ? "price unknown" : ""
}

function subagentFigures({ subagents: { steps, calls } }: Totals): string {
  if (steps === 0) return ""
  return `subagents: ${plural(steps, "step")}${calls > 0 ? `, ${plural(calls, "call")}` : ""}`
}

/** Renders `12.4k tokens in (11.0k cached), 250 out`. Empty without tokens. */
export function tokenFigures({ input, output, reasoning, cache }: Totals["tokens"]): string {
  const sent = input + cache.read + cache.write
  if (sent + output + reasoning === 0) return ""
  const cached = cache.read > 0 ? ` (${count(cache.read)} cached)` : ""
  return `${count(sent)} tokens in${cached}, ${count(output + reasoning)} out`
}

/** Packs as many items into each line as fit. */
function packed(items: readonly string[], columns: number, separator = " · "): string[] {
  const lines: string[] = []
  for (const item of items) {
    const last = lines.at(-1)
    const longer = last === undefined ? item : last + separator + item
    if (last !== undefined && columnsOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(item)
  }
  return lines
}
