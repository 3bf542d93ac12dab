import type { ReplayCount, ReplayedChange } from "@pawl/reports/permissions/replay-calls"
import type { Tally, TallyRow } from "@pawl/reports/permissions/tally"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { styledAction } from "@pawl/terminal-text/permission-lines"
import { plural } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import { toolSubject } from "@pawl/terminal-text/tool-subject"
import { clip } from "@pawl/terminal-text/width"

interface ReplayLayout {
  readonly columns: number
  readonly theme: Theme
}

/** Renders a call with a different decision. */
export function changeLines(
  { session, call, before, decision }: ReplayedChange,
  { columns, theme }: ReplayLayout,
): string[] {
  // If the whole call is allowed, no single need is more important than the others.
  const about =
    decision.action === "allow" ? "" : ` · ${foreignLine(decision.permission)} ${foreignLine(decision.pattern)}`
  const what = `${foreignLine(call.tool)} ${foreignLine(toolSubject(call, session.directory))}${about}`
  const way = `${before} → ${decision.action}`
  const line = clip(`${way} ${what} · ${session.id}`, columns)
  return [`${before} → ${styledAction(decision.action, theme)}${line.slice(way.length)}`]
}

/** Renders the number of calls, and how many decisions each rule would change. */
export function tallyLines(count: ReplayCount, tally: Tally, { columns, theme }: ReplayLayout): string[] {
  const { sessions, calls, unjudged } = count
  const facts = [
    `${plural(calls, "call")} of ${plural(sessions, "session")}`,
    tally.changed === 0 ? "none would have gone otherwise" : `${tally.changed} would have gone otherwise`,
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
  ]
  const rows = tally
    .rows()
    .map((row) => clip(`${String(row.count).padStart(6)}  ${row.before} → ${row.after}  ${ruleWords(row)}`, columns))
  return [theme.strong(facts.join(" · ")), ...rows]
}

function ruleWords({ rule, scope, line }: TallyRow): string {
  if (!rule) return "no rule speaks of it, or it is unclear"
  const where = line === undefined ? "" : `:${line}`
  return `${foreignLine(rule.permission)} ${JSON.stringify(foreignLine(rule.pattern))} (${foreignLine(scope ?? "")}${where})`
}
