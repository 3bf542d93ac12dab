import type { CommandInput } from "../arguments/command.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { openPlugins, type OpenedPlugins } from "@pawl/runtime/open-plugins"
import { definitionLines, type DefinitionRow } from "@pawl/terminal-text/definition-lines"
import { errorLines } from "../render/error-lines.ts"
import { plainLine } from "@pawl/plain-text"
import { shortPath } from "@pawl/terminal-text/short-path"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import type { formattedDirectoryOptions } from "../command-options.ts"

export type DefinitionInput = CommandInput<typeof formattedDirectoryOptions>

/** A row with its JSON form. */
export interface Listed extends DefinitionRow {
  readonly facts: Readonly<Record<string, unknown>>
}

/** Prints the rows of a kind of definitions, with the problems of their files. */
export async function listDefinitions(
  { options }: DefinitionInput,
  host: Host,
  rowsOf: (opened: OpenedPlugins) => readonly Listed[],
): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const directory = await workDirectory(host, options.dir)
  await using opened = await openPlugins({ directory, host })
  const rows = rowsOf(opened)
  if (options.format === "json") {
    for (const { facts } of rows) stdout.write(`${JSON.stringify(facts)}\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const shown = rows.map((row) => ({
      ...row,
      sources: row.sources.map((source) => shortPath(source, directory, host)),
    }))
    const lines = definitionLines(shown, { theme, columns: stdout.isTerminal ? stdout.columns : 200 })
    for (const line of lines) stdout.write(`${line}\n`)
    if (rows.length === 0) stderr.write("No definitions found.\n")
  }
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  for (const { severity, message } of opened.settings.definitions.problems) {
    if (severity === "error")
      stderr.write(`${errorLines(plainLine(message), { output: stderr, theme, secrets }).join("\n")}\n`)
    else stderr.write(`${theme.faint(secrets.mask(plainLine(message)))}\n`)
  }
  for (const notice of opened.notices) stderr.write(`${theme.faint(secrets.mask(plainLine(notice)))}\n`)
  return exitCodes.success
}
