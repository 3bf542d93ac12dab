import type { Output } from "../output/output.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import type { CommandForm } from "./command.ts"
import { commandsOf, findCommand } from "./find-command.ts"
import { commandHelp, type HelpPaper, overviewHelp } from "./help.ts"

/** Prints the help text of the command or group that `words` name, or the overview. Throws UsageError for others. */
export function showHelp(
  commands: readonly CommandForm[],
  words: readonly string[],
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const theme = createTheme(wantsColour(environment, output.isTerminal))
  const paper: HelpPaper = { columns: output.columns, theme }
  output.write(helpText(commands, words, paper))
}

function helpText(commands: readonly CommandForm[], words: readonly string[], paper: HelpPaper): string {
  const [group] = words
  if (group === undefined) return overviewHelp(commands, paper)
  const members = words.length === 1 ? commandsOf(commands, group) : []
  if (members.length > 0) return overviewHelp(members, paper, group)
  return commandHelp(findCommand(commands, words).command, paper)
}
