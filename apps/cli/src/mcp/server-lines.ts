import type { ServerReport } from "@pawl/plugin-mcp"
import { wrap } from "@pawl/terminal-text/flow"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { plural } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import { clip, columnsOf } from "@pawl/terminal-text/width"

export interface ServerLayout {
  readonly columns: number
  readonly theme: Theme
}

/** A server with its state. */
export interface ListedServer {
  readonly report: ServerReport
  /** The command or address. */
  readonly target: string
  /** The configuration file, as shown to the user. */
  readonly source: string
  /** Set if tokens are stored. Missing for servers without sign-in. */
  readonly isSignedIn?: boolean
}

/** Formats one or two lines per server: its name and state, then its command or address. */
export function serverLines(servers: readonly ListedServer[], { columns, theme }: ServerLayout): string[] {
  const width = Math.min(Math.max(...servers.map(({ report }) => columnsOf(foreignLine(report.name)))), 24)
  return servers.flatMap(({ report, target, source, isSignedIn }) => {
    const label = clip(foreignLine(report.name), 24)
    const indent = " ".repeat(width + 2)
    const room = Math.max(columns - indent.length, 20)
    const [first = "", ...more] = wrap(standing(report, isSignedIn), room)
    const style = styleOf(report, theme)
    const about = clip(foreignLine(`${source} · ${target}`), room)
    return [
      `${theme.strong(label)}${" ".repeat(Math.max(width - columnsOf(label), 0) + 2)}${style(first)}`,
      ...more.map((line) => indent + style(line)),
      indent + theme.faint(about),
    ]
  })
}

function standing(report: ServerReport, isSignedIn: boolean | undefined): string {
  const { name, tools, waiting } = report
  const held =
    waiting.length === 0 ? "" : ` · held back: ${waiting.map(foreignLine).join(", ")} (pawl mcp allow ${name})`
  const signed = isSignedIn ? " · signed in" : ""
  switch (report.status) {
    case "connected":
      return `connected over ${report.transport} · ${plural(tools, "tool")}${signed}${held}`
    case "not_started":
    case "connecting":
      return `${report.status === "connecting" ? "no answer yet" : "not started"} · ${tools === 0 ? "tools not known" : plural(tools, "tool")}${signed}${held}`
    case "disabled":
      return "switched off"
    case "awaiting_approval":
      return `${report.reason === "changed" ? "changed since it was allowed" : "not allowed yet"}: pawl mcp allow ${name}`
    case "needs_auth":
      return `requires authorization: pawl mcp auth ${name}`
    case "failed":
    case "needs_client_registration":
      return foreignLine(report.error)
  }
}

function styleOf({ status, waiting }: ServerReport, theme: Theme) {
  if (status === "connected") return waiting.length === 0 ? theme.good : theme.warn
  if (status === "failed" || status === "needs_client_registration") return theme.bad
  return status === "awaiting_approval" || status === "needs_auth" ? theme.warn : theme.faint
}
