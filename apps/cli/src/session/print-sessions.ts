import type { Session } from "@pawl/core/storage"
import type { Host } from "../host.ts"
import { sessionTable } from "@pawl/terminal-text/session-table"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { shownBy } from "./masked.ts"

export interface PrintedSessions {
  readonly format: "text" | "json" | undefined
  readonly hasDirectories: boolean
  /** Message for an empty list. */
  readonly none: string
  readonly raw?: boolean | undefined
}

/** A table for people, or one JSON object a line. */
export function printSessions(
  stored: readonly Session[],
  { stdout, stderr, environment, secrets }: Pick<Host, "stdout" | "stderr" | "environment" | "secrets">,
  { format, hasDirectories, none, raw }: PrintedSessions,
): void {
  const sessions = stored.map(shownBy({ secrets }, raw))
  if (format === "json") {
    for (const session of sessions) stdout.write(`${JSON.stringify(session)}\n`)
  } else if (sessions.length === 0) {
    stderr.write(`${none}\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    // A pipe has no width to keep to.
    const columns = stdout.isTerminal ? stdout.columns : Infinity
    stdout.write(`${sessionTable(sessions, { columns, theme, now: Date.now(), hasDirectories }).join("\n")}\n`)
  }
}
