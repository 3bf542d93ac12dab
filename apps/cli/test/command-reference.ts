import type { CommandRow } from "../src/arguments/command.ts"
import { overviewHelp, ownHelp } from "../src/arguments/help.ts"
import { createTheme } from "@pawl/terminal-text/theme"

/** Returns the reference of the command line in Markdown: the overview, then each command's own help text. */
export async function commandReference(commands: readonly CommandRow[]): Promise<string> {
  const layout = { columns: 100, theme: createTheme(false) }
  const sections = await Promise.all(
    commands.map(async (row) => `## ${row.name}\n\n${block(ownHelp((await row.load()).command, row, layout))}`),
  )
  return `<!-- Generated from the commands in apps/cli/src/commands. Do not edit; see AGENTS.md for the command that writes it. -->

# Command line

The help texts of all commands, as \`pawl <command> --help\` prints them. The options of every command stand here once, in
the first text.

${block(overviewHelp(commands, layout))}

${sections.join("\n\n")}
`
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``
}
