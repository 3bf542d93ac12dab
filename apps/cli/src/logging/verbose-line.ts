import { hidePasswords } from "@pawl/config/hide-passwords"
import type { Host } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import type { LogRecord } from "@pawl/runtime/logging/log"

/** Formats records for the user: the time since the first record, the event, and its facts. Masks secrets. */
export function verboseLine({
  environment,
  stderr,
  secrets,
}: Pick<Host, "environment" | "stderr" | "secrets">): (record: LogRecord) => string {
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  let first: number | undefined
  return ({ time, event, facts }) => {
    first ??= time
    const since = `+${((time - first) / 1000).toFixed(3)}s`
    const fields = Object.entries(facts)
      .filter(([name, value]) => value !== undefined && name !== "stack")
      .map(([name, value]) => `${name}=${written(value)}`)
    return theme.faint(plainLine(hidePasswords(secrets.mask([since, event, ...fields].join(" ")))))
  }
}

function written(value: unknown): string {
  if (Array.isArray(value)) return value.map(written).join(",")
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)
}
