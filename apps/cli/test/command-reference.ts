import type { CommandRow } from "../src/arguments/command.ts"
import { commandHelp, overviewHelp } from "../src/arguments/help.ts"
import { createTheme } from "../src/render/theme.ts"

/** Returns the reference of the command line in Markdown: every help text, in the order of the command table. */
export async function commandReference(commands: readonly CommandRow[]): Promise<string> {
  const paper = { columns: 100, theme: createTheme(false) }
  const sections = await Promise.all(
    commands.map(async (row) => `## ${row.name}\n\n${block(commandHelp(await row.form(), row, paper))}`),
  )
  return `# Command line

The help texts of all commands, as \`pawl <command> --help\` prints them.

${block(overviewHelp(commands, paper))}

${sections.join("\n\n")}
`
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``
}
