import { wrap } from "@pawl/terminal-text/flow"
import { barredLines, foreignLine } from "@pawl/terminal-text/foreign-lines"
import { duration } from "@pawl/terminal-text/quantity"
import type { ServerLayout } from "./server-lines.ts"

/** A step of the connection, with its result. */
export interface DebugStep {
  readonly what: string
  readonly found?: string
  /** A sentence. An error ends the steps. */
  readonly error?: string
  /** Milliseconds. */
  readonly took: number
}

export interface DebugFacts {
  readonly steps: readonly DebugStep[]
  /** The newest output of the server, oldest line first. */
  readonly log: string
  readonly logPath?: string | undefined
}

/** Number of shown log lines. */
const TAIL = 20

export function debugLines({ steps, log, logPath }: DebugFacts, { columns, theme }: ServerLayout): string[] {
  const width = Math.max(...steps.map(({ what }) => what.length))
  const tail = log.trimEnd().split("\n").slice(-TAIL).join("\n")
  return [
    ...steps.flatMap(({ what, found, error, took }) => {
      const mark = error === undefined ? theme.good("✔") : theme.bad("✗")
      const [first = "", ...more] = wrap(foreignLine(error ?? found ?? ""), Math.max(columns - width - 14, 24))
      const indent = " ".repeat(width + 12)
      return [
        `${mark} ${what.padEnd(width)}  ${theme.faint(duration(took).padStart(6))}  ${first}`,
        ...more.map((line) => indent + line),
      ]
    }),
    ...(tail === "" ? [] : ["", "What it wrote last:", ...barredLines(tail, columns)]),
    ...(logPath === undefined ? [] : ["", theme.faint(`log: ${foreignLine(logPath)}`)]),
  ]
}
