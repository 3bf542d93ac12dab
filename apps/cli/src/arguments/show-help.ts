import type { Output } from "../output/output.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import type { CommandRow } from "./command.ts"
import { commandNamed, commandsOf, findCommand } from "./find-command.ts"
import { commandHelp, type HelpPaper, overviewHelp } from "./help.ts"

/** Prints the help text of the command or group that `words` name, or the overview. Rejects with UsageError for others. */
export async function showHelp(
  commands: readonly CommandRow[],
  words: readonly string[],
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const theme = createTheme(wantsColour(environment, output.isTerminal))
  const paper: HelpPaper = { columns: output.columns, theme }
  output.write(await helpText(commands, words, paper))
}

/** The help text of the command or group that `words` name, or the overview. Rejects with UsageError for others. */
export async function helpText(
  commands: readonly CommandRow[],
  words: readonly string[],
  paper: HelpPaper,
): Promise<string> {
  const [group] = words
  if (group === undefined) return overviewHelp(commands, paper)
  // A word that is a command by itself explains that, and its form names the commands below.
  const isCommand = commandNamed(commands, group) !== undefined
  const members = words.length === 1 && !isCommand ? commandsOf(commands, group) : []
  if (members.length > 0) return overviewHelp(members, paper, group)
  const { command } = findCommand(commands, words)
  return commandHelp(await command.form(), command, paper)
}
