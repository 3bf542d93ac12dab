import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { knownPlugins, type KnownPlugin } from "@pawl/runtime/plugins/known-plugins"
import { openPackages } from "@pawl/runtime/plugins/open-packages"
import { definitionLines } from "@pawl/terminal-text/definition-lines"
import { plainLine } from "@pawl/plain-text"
import { shortPath } from "@pawl/terminal-text/short-path"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { formattedDirectoryOptions } from "../../command-options.ts"

/** Lists plugins without running any of them. */
async function pluginList({ options }: CommandInput<typeof formattedDirectoryOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const directory = await workDirectory(host, options.dir)
  const settings = await readDefinedSettings(host, directory)
  const packages = await openPackages(settings, host)
  const { plugins, problems } = await knownPlugins(settings, host, packages)
  if (options.format === "json")
    for (const plugin of plugins) stdout.write(`${secrets.mask(JSON.stringify(factsOf(plugin)))}\n`)
  else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const rows = plugins.map((plugin) => ({
      name: shortPath(plugin.wanted.written, directory, host),
      description: stateOf(plugin),
      notes: [wordOf(plugin)],
      sources: [shortPath(plugin.wanted.source, directory, host)],
    }))
    for (const line of definitionLines(rows, { theme, columns: stdout.isTerminal ? stdout.columns : 200 })) {
      stdout.write(`${secrets.mask(line)}\n`)
    }
    if (plugins.length === 0) stderr.write("No plugins. Create one: pawl plugin new; install one: pawl plugin add\n")
  }
  for (const problem of problems) stderr.write(`${secrets.mask(plainLine(problem))}\n`)
  return exitCodes.success
}

function factsOf({ wanted, trust, version, isInstalled }: KnownPlugin) {
  const { written: plugin, kind, source, isProject: project, options } = wanted
  return { plugin, kind, source, project, trust, installed: isInstalled, version, options }
}

function stateOf({ wanted: { kind }, version, isInstalled }: KnownPlugin): string {
  if (kind === "own") return "comes with pawl"
  if (kind === "file") return "local files"
  return isInstalled ? `version ${version}` : "not installed yet"
}

function wordOf({ trust }: KnownPlugin): string {
  if (trust === "untrusted") return "not trusted: pawl trust"
  return trust === "changed" ? "not what was trusted: pawl trust" : trust
}

export const command = defineCommand({
  usage: ["plugin list [options]"],
  notes: ["No plugin is loaded, so untrusted plugins are listed too. To see what plugins do, use pawl plugin doctor."],
  words: { min: 0, max: 0 },
  options: formattedDirectoryOptions,
  examples: [["pawl plugin list", "list plugins, their sources and trust"]],
  run: pluginList,
})
