import type { LayerKind } from "@pawl/config"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { placed } from "@pawl/runtime/config/ignored-notices"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { visibleJSON } from "@pawl/terminal-text/visible-json"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readSettings } from "@pawl/runtime/config/settings"

const WHOSE: Partial<Record<LayerKind, string>> = {
  organization: " · of your organization",
  project: " · of the project",
}

/** Lists the sources, lowest precedence first. */
async function configFiles({ options }: CommandInput<typeof formattedDirectoryOptions>, host: Host): Promise<ExitCode> {
  const { stdout } = host
  const directory = options.dir === undefined ? host.directory : await workDirectory(host, options.dir)
  const { layers, trust, configDirectory } = await readSettings(host, directory)
  if (options.format === "json") {
    for (const { source, isProject, kind, leftOut = [] } of layers) {
      const isTrusted = !isProject || trust.isTrusted
      stdout.write(`${visibleJSON({ source, kind, isProject, isTrusted, leftOut })}\n`)
    }
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(host.environment, stdout.isTerminal))
  for (const { source, isProject, kind = "overrides", namedBy, withheld = {}, leftOut = [] } of layers) {
    const whose = namedBy === undefined ? (WHOSE[kind] ?? "") : ` · named by ${namedBy}`
    const left = Object.keys(withheld)
    const note = isProject && left.length > 0 ? `, not trusted: without ${left.join(", ")}` : ""
    stdout.write(`${foreignLine(source)}${theme.faint(whose + note)}\n`)
    for (const each of leftOut) {
      const text = `without ${placed(each)}: ${each.reason ?? "pawl does not know it"}`
      stdout.write(`  ${theme.faint(foreignLine(text))}\n`)
    }
  }
  if (layers.length === 0) stdout.write(`Nothing is configured. Your own file would be ${configDirectory}/pawl.jsonc\n`)
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["config files [options]"],
  notes: [
    "A later source overrides an earlier one. For the files of OpenCode and of an organization, the ignored keys are listed with the reason.",
  ],
  words: { min: 0, max: 0 },
  options: formattedDirectoryOptions,
  examples: [["pawl config files", "list the sources for this directory"]],
  run: configFiles,
})
