import { wrap } from "@pawl/terminal-text/flow"
import { plainLine, plainText } from "@pawl/plain-text"
import { count, dollars, duration } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import { clip, columnsOf } from "@pawl/terminal-text/width"
import type { Side } from "@pawl/replay/usage-of"

/** A call that the recording has not. */
export interface OtherCall {
  readonly tool: string
  /** Subject of the call. */
  readonly subject: string
}

export interface SideLayout {
  readonly others: readonly OtherCall[]
  readonly columns: number
  readonly theme: Theme
}

/** Calls that are named. */
const NAMED = 10
const LABEL = 10

/** The recording and the other model beside each other. */
export function sideLines(recorded: Side, other: Side, { others, columns, theme }: SideLayout): string[] {
  const width = Math.max(16, Math.floor((Math.min(columns, 120) - LABEL) / 2) - 2)
  const rows: readonly (readonly [label: string, of: (side: Side) => string])[] = [
    ["model", ({ model }) => model],
    ["requests", ({ steps }) => String(steps)],
    ["calls", callsOf],
    [
      "tokens",
      ({ tokens }) =>
        `${count(tokens.input + tokens.cache.read + tokens.cache.write)} in, ${count(tokens.output + tokens.reasoning)} out`,
    ],
    ["cost", ({ cost }) => (cost > 0 ? dollars(cost) : "not known")],
    ["time", ({ took }) => (took > 0 ? duration(took) : "not known")],
    ["end", ({ end }) => end],
  ]
  const cell = (text: string) => padded(clip(plainLine(text), width), width)
  const answer = (title: string, text: string) => [
    theme.faint(title),
    ...(text === ""
      ? ["  (none)"]
      : plainText(text)
          .split("\n")
          .flatMap((line) => wrap(line, Math.min(columns, 100) - 2))
    ).map((line) => `  ${line}`.trimEnd()),
  ]
  return [
    "",
    theme.faint(`${padded("", LABEL)}${padded("recorded", width)}  against`),
    ...rows.map(([label, of]) =>
      `${theme.faint(padded(label, LABEL))}${cell(of(recorded))}  ${cell(of(other))}`.trimEnd(),
    ),
    ...othersLines(others, columns, theme),
    "",
    ...answer("recorded answer", recorded.answer),
    ...answer(`answer of ${plainLine(other.model)}`, other.answer),
  ]
}

function callsOf({ calls, sameCalls }: Side): string {
  return sameCalls === calls ? String(calls) : `${calls}: ${sameCalls} as recorded, ${calls - sameCalls} others`
}

function othersLines(others: readonly OtherCall[], columns: number, theme: Theme): string[] {
  if (others.length === 0) return []
  const lines = others.slice(0, NAMED).map(({ tool, subject }) => clip(`  ${plainLine(`${tool} ${subject}`)}`, columns))
  const left = others.length - NAMED
  return ["", theme.faint("calls that the recording has not"), ...lines, ...(left > 0 ? [`  and ${left} more`] : [])]
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)))
}
