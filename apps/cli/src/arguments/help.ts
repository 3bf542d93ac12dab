import { commonMeanings, type ExitCodeMeanings, runMeanings } from "../exit-code.ts"
import { keyVariables } from "@pawl/provider-registry/presets"
import type { Theme } from "@pawl/terminal-text/theme"
import { wrap } from "@pawl/terminal-text/flow"
import { columnsOf } from "@pawl/terminal-text/width"
import { type CommandForm, commandGroups, type CommandName, type OptionSpec } from "./command.ts"
import { generalOptions } from "./general.ts"
import { oneOf } from "./one-of.ts"

export interface HelpLayout {
  readonly columns: number
  readonly theme: Theme
}

type Row = readonly [left: string, right: string]

const MAX_LINE_COLUMNS = 100
const NARROW_COLUMNS = 60

/** Returns the help text of a command. */
export function commandHelp(form: CommandForm, name: CommandName, layout: HelpLayout): string {
  return join(commandSections(form, name, layout, [section(GENERAL, rows(generalRows, layout), layout)]))
}

/** Returns the help text of a command without the options of every command. */
export function ownHelp(form: CommandForm, name: CommandName, layout: HelpLayout): string {
  return join(commandSections(form, name, layout, []))
}

function commandSections(
  form: CommandForm,
  { name, summary, aliases = [] }: CommandName,
  layout: HelpLayout,
  general: readonly string[],
): readonly string[] {
  const usage = form.usage.map((line) => `  pawl ${line}`)
  const also = aliases.length === 0 ? "" : `Also: ${[name, ...aliases].map((each) => `pawl ${each}`).join(", ")}`
  const options = Object.entries(form.options).map(([option, spec]) => optionRow(option, spec))
  return [
    wrap(summary, width(layout)).join("\n"),
    section("Usage", usage, layout),
    also === "" ? "" : wrap(also, width(layout)).join("\n"),
    ...(form.notes ?? []).map((note) => wrap(note, width(layout)).join("\n")),
    section("Options", rows(options, layout), layout),
    ...general,
    section("Examples", examples(form.examples, layout), layout),
    section("Exit codes", rows(exitCodeRows(form.exitCodes), layout), layout),
  ]
}

/** Returns the help text of `pawl` without arguments: the common commands. */
export function shortHelp(commands: readonly CommandName[], layout: HelpLayout): string {
  const common = commands.filter(({ isCommon }) => isCommon).map(({ name, summary }): Row => [name, summary])
  return join([
    wrap(PROGRAM, width(layout)).join("\n"),
    section("Usage", ['  pawl run "<task>"', ...usageOf("pawl")], layout),
    section("Commands", rows(common, layout), layout),
    wrap("pawl help --all lists all commands, options and environment variables.", width(layout)).join("\n"),
  ])
}

/** Returns the help text of `pawl --help`: all commands, by group. */
export function overviewHelp(commands: readonly CommandName[], layout: HelpLayout): string {
  // One call for all groups, so that their left columns have the same width.
  const blocks = rowBlocks(commands.map(overviewRow), layout)
  return join([
    wrap(PROGRAM, width(layout)).join("\n"),
    section("Usage", usageOf("pawl"), layout),
    ...commandGroups.map((group) => {
      return section(group, blocks.filter((_, index) => commands[index]?.group === group).flat(), layout)
    }),
    section(GENERAL, rows([...generalRows, VERSION_ROW], layout), layout),
    section("Environment", rows(ENVIRONMENT, layout), layout),
    section("Exit codes", rows(exitCodeRows(runMeanings), layout), layout),
  ])
}

/** Returns the help text of the commands that begin with a word such as `session`. */
export function memberHelp(members: readonly CommandName[], layout: HelpLayout, word: string): string {
  const commands = members.map(({ name, summary }): Row => [name, summary])
  return join([
    section("Usage", usageOf(`pawl ${word}`), layout),
    section("Commands", rows(commands, layout), layout),
    section(GENERAL, rows(generalRows, layout), layout),
    section("Exit codes", rows(exitCodeRows(), layout), layout),
  ])
}

function overviewRow({ name, summary, aliases = [] }: CommandName): Row {
  return [name, aliases.length === 0 ? summary : `${summary} Also: ${aliases.join(", ")}.`]
}

function usageOf(prefix: string): string[] {
  return [`  ${prefix} <command> [options]`, `  ${prefix} <command> --help`]
}

const PROGRAM = "pawl: a coding agent for the terminal that never loses a step."
const HELP_ROW: Row = ["-h, --help", "print help"]
const VERSION_ROW: Row = ["-v, --version", "print the version"]

const GENERAL = "Options of every command"

const generalRows: readonly Row[] = [
  ...Object.entries(generalOptions).map(([name, option]) => optionRow(name, option)),
  HELP_ROW,
]

const ENVIRONMENT: readonly Row[] = [
  ["PAWL_MODEL", "model, as provider/model"],
  ["PAWL_BASE_URL", "base URL for a custom provider"],
  ["OPENAI_BASE_URL", "base URL for openai"],
  ["PAWL_API_KEY", "key for a provider without a variable of its own"],
  ["…_API_KEY", `keys of known providers: ${keyVariables.join(", ")}`],
  ["PAWL_STORAGE", "storage URL: sqlite:…, file:…, memory:, postgres://…, npm:<package>#…"],
  ["PAWL_DATA_DIR", "data directory (default: pawl below XDG_DATA_HOME or ~/.local/share)"],
  ["PAWL_CONFIG_DIR", "directory of your pawl.jsonc (default: pawl below XDG_CONFIG_HOME or ~/.config)"],
  ["PAWL_CONFIG", "one more configuration file; overrides that of OPENCODE_CONFIG"],
  ["PAWL_CONFIG_CONTENT", "text of one more configuration file; overrides OPENCODE_CONFIG_CONTENT"],
  ["PAWL_DEBUG=1", "print the stack trace of an error"],
  ["PAWL_LOG_LEVEL", "level of the log file: debug, info, warn, error or off"],
  ["PAWL_COLOR", "auto, always or never, as --color"],
  ["NO_COLOR, FORCE_COLOR", "colours off or on; also CLICOLOR=0, CLICOLOR_FORCE=1, TERM=dumb"],
]

function optionRow(name: string, option: OptionSpec): Row {
  const { short, value, isOptional, choices, multiple, summary } = option
  const valueForm = isOptional ? `[=${value}]` : ` ${value}`
  const left = `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : valueForm}`
  const notes = [
    choices ? oneOf(choices) : "",
    option.default === undefined ? "" : `default: ${option.default}`,
    multiple ? "may be repeated" : "",
  ].filter(Boolean)
  return [left, notes.length > 0 ? `${summary} (${notes.join("; ")})` : summary]
}

/** Returns the common exit codes and those of the command, in ascending order. */
function exitCodeRows(own: ExitCodeMeanings = {}): Row[] {
  return Object.entries({ ...commonMeanings, ...own })
}

function examples(list: CommandForm["examples"], layout: HelpLayout): string[] {
  return list.flatMap(([command, meaning]) => {
    const lines = indented(wrap(meaning, width(layout) - 6), 6)
    return [`  ${command}`, ...lines.map((line) => layout.theme.faint(line))]
  })
}

function section(title: string, lines: readonly string[], { theme }: HelpLayout): string {
  return lines.length === 0 ? "" : [theme.strong(title), ...lines].join("\n")
}

function rows(list: readonly Row[], layout: HelpLayout): string[] {
  return rowBlocks(list, layout).flat()
}

/** Returns the lines of each row, in two columns; on a narrow terminal, one column above the other. */
function rowBlocks(list: readonly Row[], layout: HelpLayout): string[][] {
  const total = width(layout)
  if (total < NARROW_COLUMNS) {
    return list.map(([left, right]) => [
      `  ${layout.theme.accent(left.trim())}`,
      ...indented(wrap(right, total - 6), 6),
    ])
  }
  const leftWidth = Math.max(...list.map(([left]) => columnsOf(left))) + 2
  return list.map(([left, right]) => {
    const [first = "", ...rest] = wrap(right, total - leftWidth - 2)
    const gap = " ".repeat(leftWidth - columnsOf(left))
    return [`  ${layout.theme.accent(left)}${gap}${first}`, ...indented(rest, leftWidth + 2)]
  })
}

function indented(lines: readonly string[], by: number): string[] {
  return lines.map((line) => " ".repeat(by) + line)
}

function width({ columns }: HelpLayout): number {
  return Math.min(columns, MAX_LINE_COLUMNS)
}

function join(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`
}
