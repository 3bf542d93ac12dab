import type { Output } from "../output/output.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import type { CommandRow } from "./command.ts"
import { commandNamed, commandsOf, findCommand } from "./find-command.ts"
import { commandHelp, type HelpLayout, memberHelp, overviewHelp, shortHelp } from "./help.ts"

/** Prints the help text of the command or group that `words` name, or the short help if that is undefined. Rejects with UsageError for unknown words. */
export async function showHelp(
  commands: readonly CommandRow[],
  words: readonly string[] | undefined,
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const theme = createTheme(wantsColour(environment, output.isTerminal))
  const layout: HelpLayout = { columns: output.columns, theme }
  output.write(words === undefined ? shortHelp(commands, layout) : await helpText(commands, words, layout))
}

/** Returns the help text of the command or group that `words` name, or the overview. Rejects with UsageError for unknown words. */
export async function helpText(
  commands: readonly CommandRow[],
  words: readonly string[],
  layout: HelpLayout,
): Promise<string> {
  const [group] = words
  if (group === undefined) return overviewHelp(commands, layout)
  // A word that is both a command and a group shows the command's help, whose usage names the others.
  const isCommand = commandNamed(commands, group) !== undefined
  const members = words.length === 1 && !isCommand ? commandsOf(commands, group) : []
  if (members.length > 0) return memberHelp(members, layout, group)
  const { command: row } = findCommand(commands, words)
  const { command } = await row.load()
  return commandHelp(command, row, layout)
}
