import { exitCodeMeanings } from "../exit-code.ts"
import { keyVariables } from "../model/presets.ts"
import type { Theme } from "../render/theme.ts"
import { wrap } from "../render/flow.ts"
import { columnsOf } from "../render/width.ts"
import type { CommandForm, CommandName, OptionSpec } from "./command.ts"
import { generalOptions } from "./general.ts"
import { oneOf } from "./one-of.ts"

export interface HelpPaper {
  readonly columns: number
  readonly theme: Theme
}

type Row = readonly [left: string, right: string]

const LONGEST_LINE = 100
const NARROW = 60

/** The help text of one command, made from its form. */
export function commandHelp(form: CommandForm, { name, summary, aliases = [] }: CommandName, paper: HelpPaper): string {
  const usage = form.usage.map((line) => `  pawl ${line}`)
  const also = aliases.length === 0 ? "" : `Also: ${[name, ...aliases].map((each) => `pawl ${each}`).join(", ")}`
  const options = Object.entries(form.options).map(([option, spec]) => optionRow(option, spec))
  return join([
    wrap(summary, width(paper)).join("\n"),
    section("Usage", usage, paper),
    also === "" ? "" : wrap(also, width(paper)).join("\n"),
    ...(form.notes ?? []).map((note) => wrap(note, width(paper)).join("\n")),
    section("Options", rows(options, paper), paper),
    section(GENERAL, rows(generalRows, paper), paper),
    section("Examples", examples(form.examples, paper), paper),
    section("Exit codes", rows(exitCodeRows(form.exitCodes), paper), paper),
  ])
}

/** The help text for `pawl` itself, or for a group of commands such as `session`. */
export function overviewHelp(named: readonly CommandName[], paper: HelpPaper, group = ""): string {
  const prefix = group === "" ? "pawl" : `pawl ${group}`
  const commands = named.map(({ name, summary, aliases = [] }): Row => {
    const others = group === "" && aliases.length > 0 ? ` Also: ${aliases.join(", ")}.` : ""
    return [name, summary + others]
  })
  const general = group === "" ? [...generalRows, VERSION_ROW] : generalRows
  return join([
    group === "" ? wrap(PROGRAM, width(paper)).join("\n") : "",
    section("Usage", [`  ${prefix} <command> [options]`, `  ${prefix} <command> --help`], paper),
    section("Commands", rows(commands, paper), paper),
    section(GENERAL, rows(general, paper), paper),
    group === "" ? section("Environment", rows(ENVIRONMENT, paper), paper) : "",
    section("Exit codes", rows(exitCodeRows(group === "" ? {} : { 0: "it was done" }), paper), paper),
  ])
}

const PROGRAM = "pawl: a coding agent for the terminal that never loses a step."
const HELP_ROW: Row = ["-h, --help", "print this text"]
const VERSION_ROW: Row = ["-v, --version", "print the version"]

const GENERAL = "Options of every command"

const generalRows: readonly Row[] = [
  ...Object.entries(generalOptions).map(([name, option]) => optionRow(name, option)),
  HELP_ROW,
]

const ENVIRONMENT: readonly Row[] = [
  ["PAWL_MODEL", "the model, as provider/model"],
  ["PAWL_BASE_URL", "where the API of a provider begins that is not known by name"],
  ["OPENAI_BASE_URL", "where the API of openai begins instead"],
  ["PAWL_API_KEY", "the key for a provider that has no variable of its own"],
  ["…_API_KEY", `keys of providers known by name: ${keyVariables.join(", ")}`],
  ["PAWL_STORAGE", "where sessions are stored: sqlite:…, file:…, memory:, postgres://…, npm:<package>#…"],
  ["PAWL_DATA_DIR", "where pawl keeps its files; else below XDG_DATA_HOME or ~/.local/share"],
  ["PAWL_CONFIG_DIR", "where your pawl.jsonc is; else below XDG_CONFIG_HOME or ~/.config"],
  ["PAWL_CONFIG", "one more configuration file, above that of OPENCODE_CONFIG"],
  ["PAWL_CONFIG_CONTENT", "the text of such a file, above that of OPENCODE_CONFIG_CONTENT"],
  ["PAWL_DEBUG=1", "show where an error comes from"],
  ["PAWL_LOG_LEVEL", "what is written to the log file: debug, info, warn, error or off"],
  ["PAWL_COLOR", "auto, always or never, as --color"],
  ["NO_COLOR, FORCE_COLOR", "colours off, or on, for other programs too; also CLICOLOR=0, CLICOLOR_FORCE=1, TERM=dumb"],
]

function optionRow(name: string, { short, value, isOptional, choices, multiple, summary }: OptionSpec): Row {
  const given = isOptional ? `[=${value}]` : ` ${value}`
  const left = `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : given}`
  const notes = [choices ? oneOf(choices) : "", multiple ? "may be repeated" : ""].filter(Boolean)
  return [left, notes.length > 0 ? `${summary} (${notes.join("; ")})` : summary]
}

function exitCodeRows(own: CommandForm["exitCodes"] = {}): Row[] {
  return exitCodeMeanings.map(([code, meaning]) => [String(code), own[code] ?? meaning])
}

function examples(list: CommandForm["examples"], paper: HelpPaper): string[] {
  return list.flatMap(([command, meaning]) => {
    const lines = indented(wrap(meaning, width(paper) - 6), 6)
    return [`  ${command}`, ...lines.map((line) => paper.theme.faint(line))]
  })
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
