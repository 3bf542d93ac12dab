import { type Examined, hooksOf, isWell } from "@pawl/runtime/examine-plugins"
import type { RecordedCalls } from "@pawl/runtime/plugins/call-record"
import type { RequestedPlugin } from "@pawl/runtime/plugins/requested-plugins"
import { wrap } from "@pawl/terminal-text/flow"
import { plainLine } from "@pawl/plain-text"
import { plural } from "@pawl/terminal-text/quantity"
import { shortPath } from "@pawl/terminal-text/short-path"
import type { Theme } from "@pawl/terminal-text/theme"

export interface ExaminedLayout {
  readonly columns: number
  readonly theme: Theme
  /** Paths are shown relative to it. */
  readonly directory: string
  readonly home: string | undefined
  /** Recorded calls of plugins in runs, by plugin id. */
  readonly recorded: ReadonlyMap<string, RecordedCalls>
}

/** Renders a plugin with its contributions, start times and problems. */
export function examinedLines(
  { member, reports, took, problems, notices }: Examined,
  layout: ExaminedLayout,
): string[] {
  const { columns, theme, directory, recorded } = layout
  const { wanted, origin } = member
  const version = origin?.version === undefined ? [] : [origin.version]
  const from = wanted.source === wanted.written ? [] : [`named in ${shortPath(wanted.source, directory, layout)}`]
  const times = `loaded in ${milliseconds(took.load)}, started in ${milliseconds(took.start)}`
  const mark = isWell({ problems, reports }) ? theme.good("●") : theme.bad("✗")
  const about = reports.flatMap((report) => {
    const { id, tools, problem } = report
    const hooks = hooksOf([report])
    const own = reports.length > 1 ? `${shortPath(id, directory, layout)}: ` : ""
    if (problem !== undefined) return []
    const calls = Object.entries(recorded.get(id) ?? {}).map(([hook, call]) => callsLine(hook, call))
    return [
      `${own}${hooks.length === 0 ? "hooks nothing" : `hooks ${hooks.join(", ")}`} · ${plural(tools, "tool")}`,
      ...(calls.length === 0 ? [] : [`${own}in runs: ${calls.join("; ")}`]),
    ]
  })
  const indented = (text: string) => wrap(plainLine(text), Math.max(columns - 2, 20)).map((line) => `  ${line}`)
  return [
    `${mark} ${theme.strong(plainLine(shortPath(wanted.written, directory, layout)))}`,
    ...about.flatMap(indented),
    ...indented([...version, trustOf(wanted), ...from, times].join(" · ")).map(theme.faint),
    ...problems.flatMap(indented).map(theme.bad),
    ...notices.flatMap(indented).map(theme.faint),
  ]
}

/** Returns the trust of an examined plugin. Untrusted plugins are not examined. */
export function trustOf({ kind, isProject }: Pick<RequestedPlugin, "kind" | "isProject">): string {
  if (kind === "own") return "part of pawl"
  return isProject ? "trusted" : "yours"
}

/** Renders the MCP servers of a directory, which are one plugin. */
export function serversLines(
  names: readonly string[],
  calls: RecordedCalls,
  { columns, theme }: ExaminedLayout,
): string[] {
  const done = Object.entries(calls).map(([hook, call]) => callsLine(hook, call))
  const about = [names.join(", "), ...(done.length === 0 ? [] : [`in runs: ${done.join("; ")}`])]
  const lines = about.flatMap((text) => wrap(plainLine(text), Math.max(columns - 2, 20)))
  return [
    `${theme.faint("●")} ${theme.strong(plural(names.length, "MCP server"))}`,
    ...lines.map((line) => `  ${line}`),
    theme.faint("  how they stand: pawl mcp list"),
  ]
}

function callsLine(hook: string, { count, failures, p95 }: RecordedCalls[string] & object): string {
  return `${hook} ${plural(count, "call")}${failures === 0 ? "" : `, ${failures} failed`}, p95 ${milliseconds(p95)}`
}

function milliseconds(time: number): string {
  return time < 10 ? `${time.toFixed(1)} ms` : `${Math.round(time)} ms`
}
