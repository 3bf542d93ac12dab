import { exitCodeMeanings } from "../exit-code.ts"
import type { Theme } from "../render/theme.ts"
import { columnsOf, wrap } from "../render/width.ts"
import type { CommandForm, OptionSpec } from "./command.ts"

export interface HelpPaper {
  readonly columns: number
  readonly theme: Theme
}

type Row = readonly [left: string, right: string]

const LONGEST_LINE = 100
const NARROW = 60

/** The help text of one command, made from its row in the command table. */
export function commandHelp(form: CommandForm, paper: HelpPaper): string {
  const usage = form.usage.map((line) => `  pawl ${line}`)
  const options = [...Object.entries(form.options).map(([name, option]) => optionRow(name, option)), HELP_ROW]
  return join([
    wrap(form.summary, width(paper)).join("\n"),
    section("Usage", usage, paper),
    ...(form.notes ?? []).map((note) => wrap(note, width(paper)).join("\n")),
    section("Options", rows(options, paper), paper),
    section("Examples", examples(form.examples, paper), paper),
    section("Exit codes", rows(exitCodeRows(), paper), paper),
  ])
}

/** The help text for `pawl` itself, or for a group of commands such as `session`. */
export function overviewHelp(forms: readonly CommandForm[], paper: HelpPaper, group = ""): string {
  const prefix = group === "" ? "pawl" : `pawl ${group}`
  const commands = forms.map(({ name, summary }): Row => [name, summary])
  const general: Row[] = [HELP_ROW, ["-v, --version", "print the version"]]
  return join([
    group === "" ? "pawl: a coding agent for the terminal that never loses a step." : "",
    section("Usage", [`  ${prefix} <command> [options]`, `  ${prefix} <command> --help`], paper),
    section("Commands", rows(commands, paper), paper),
    section("Options", rows(general, paper), paper),
    group === "" ? section("Environment", rows(ENVIRONMENT, paper), paper) : "",
    section("Exit codes", rows(exitCodeRows(), paper), paper),
  ])
}

const HELP_ROW: Row = ["-h, --help", "print this text"]

const ENVIRONMENT: readonly Row[] = [
  ["PAWL_MODEL", "the model, as provider/model"],
  ["PAWL_API_KEY", "the key for a provider that has no variable of its own"],
  ["PAWL_DATA_DIR", "where sessions are stored"],
  ["PAWL_CONFIG", "one more configuration file"],
  ["PAWL_DEBUG=1", "show where an error comes from"],
  ["NO_COLOR, FORCE_COLOR", "colours off, or on"],
]

function optionRow(name: string, { short, value, choices, multiple, summary }: OptionSpec): Row {
  const left = `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`
  const notes = [choices ? `${choices.join(" or ")}` : "", multiple ? "may be repeated" : ""].filter(Boolean)
  return [left, notes.length > 0 ? `${summary} (${notes.join("; ")})` : summary]
}

function exitCodeRows(): Row[] {
  return exitCodeMeanings.map(([code, meaning]) => [String(code), meaning])
}

function examples(list: CommandForm["examples"], { theme }: HelpPaper): string[] {
  return list.flatMap(([command, meaning]) => [`  ${command}`, theme.faint(`      ${meaning}`)])
}

function section(title: string, lines: readonly string[], { theme }: HelpPaper): string {
  return lines.length === 0 ? "" : [theme.strong(title), ...lines].join("\n")
}

/** Two columns, or one above the other where the terminal is narrow. */
function rows(list: readonly Row[], paper: HelpPaper): string[] {
  const total = width(paper)
  if (total < NARROW) {
    return list.flatMap(([left, right]) => [
      `  ${paper.theme.accent(left.trim())}`,
      ...indented(wrap(right, total - 6), 6),
    ])
  }
  const leftWidth = Math.max(...list.map(([left]) => columnsOf(left))) + 2
  return list.flatMap(([left, right]) => {
    const [first = "", ...rest] = wrap(right, total - leftWidth - 2)
    const gap = " ".repeat(leftWidth - columnsOf(left))
    return [`  ${paper.theme.accent(left)}${gap}${first}`, ...indented(rest, leftWidth + 2)]
  })
}

function indented(lines: readonly string[], by: number): string[] {
  return lines.map((line) => " ".repeat(by) + line)
}

function width({ columns }: HelpPaper): number {
  return Math.min(columns, LONGEST_LINE)
}

function join(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`
}
