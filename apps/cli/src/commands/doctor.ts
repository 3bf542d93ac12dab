import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { type CheckState, examine, type Finding } from "../doctor/check.ts"
import { checksOf } from "../doctor/checks.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { wrap } from "@pawl/terminal-text/flow"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { createTheme, type Theme, wantsColour } from "@pawl/terminal-text/theme"
import { format } from "../command-options.ts"

const doctorOptions = { ...format } as const

const CHECK_TIMEOUT_MS = 10_000

/** Prints the checks of the installation, and how to fix each failure. */
async function doctor({ options }: CommandInput<typeof doctorOptions>, host: Host): Promise<ExitCode> {
  const { stdout, environment, secrets } = host
  const findings = await examine(checksOf(host), CHECK_TIMEOUT_MS)
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const layout = {
    columns: stdout.isTerminal ? stdout.columns : 120,
    theme,
    width: Math.max(...findings.map(({ name }) => name.length)),
  }
  for (const finding of findings) {
    const lines = options.format === "json" ? [JSON.stringify(finding)] : findingLines(finding, layout)
    stdout.write(`${secrets.mask(lines.join("\n"))}\n`)
  }
  return findings.some(({ state }) => state === "bad") ? exitCodes.failed : exitCodes.success
}

const MARKS: Readonly<Record<CheckState, string>> = { good: "✓", missing: "–", bad: "✗" }

interface DoctorLayout {
  readonly columns: number
  readonly theme: Theme
  /** Columns of the longest name. */
  readonly width: number
}

function findingLines({ name, state, says, advice }: Finding, { columns, theme, width }: DoctorLayout): string[] {
  const style = { good: theme.good, missing: theme.faint, bad: theme.bad }[state]
  const indent = " ".repeat(width + 4)
  const wrapped = (text: string) => wrap(foreignLine(text), Math.max(20, columns - indent.length))
  const [first = "", ...rest] = wrapped(says)
  return [
    `${style(MARKS[state])} ${theme.strong(name.padEnd(width))}  ${first}`,
    ...rest.map((line) => indent + line),
    ...(advice === undefined ? [] : wrapped(advice).map((line) => indent + theme.faint(line))),
  ]
}

export const command = defineCommand({
  usage: ["doctor [options]"],
  notes: [
    "Checks Node, git, ripgrep, the configuration, the storage, models and their servers, and the sandbox. " +
      "Creates the storage if it does not exist; changes nothing else. ✓ found, – missing but optional, ✗ must be fixed.",
  ],
  words: { min: 0, max: 0 },
  options: doctorOptions,
  exitCodes: { 0: "everything required was found", 1: "something must be fixed" },
  examples: [
    ["pawl doctor", "find out why something does not work"],
    ["pawl doctor --format json", "print one JSON object per line"],
  ],
  run: doctor,
})
