import { dirname } from "node:path"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { suggestion } from "@pawl/config/suggestion"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { pathIn, pathOf, pluginFile, pluginsIn, removePlugin, specOf } from "@pawl/runtime/plugins/plugin-file"
import { trustAnew } from "@pawl/runtime/plugins/retrust"
import { shortPath } from "@pawl/terminal-text/short-path"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { directoryOptions } from "../../command-options.ts"

const pluginRemoveOptions = {
  global: { short: "g", summary: "use your own configuration instead of the project's" },
  ...directoryOptions,
} as const

/** Removes a plugin from a configuration. The installed package stays for other configurations. */
async function pluginRemove(
  { options, words: [argument = ""] }: CommandInput<typeof pluginRemoveOptions>,
  host: Host,
): Promise<ExitCode> {
  const directory = await workDirectory(host, options.dir)
  const settings = await readDefinedSettings(host, directory)
  const file = await pluginFile(settings, options.global === true)
  const path = pathOf(argument, host.directory)
  const spec = path === undefined ? argument : pathIn(dirname(file), path)
  if (await removePlugin(file, spec)) {
    if (!options.global) await trustAnew(settings, file)
    host.stderr.write(`${argument} is no longer in ${shortPath(file, directory, host)}.\n`)
    return exitCodes.success
  }
  const lying = settings.definitions.allPlugins.find(({ source }) => source === path)
  if (lying)
    throw new UsageError(`${argument} is loaded because its file is in a plugin directory.`, `rm ${lying.source}`)
  const names = (await pluginsIn(file)).map(specOf)
  const meant = suggestion(argument, names)
  const hint = meant === undefined ? `It names: ${names.join(", ") || "none"}.` : `Did you mean "${meant}"?`
  const elsewhere = options.global ? "" : " Your own configuration: --global."
  throw new UsageError(`${file} names no plugin "${argument}". ${hint}${elsewhere}`, "List them: pawl plugin list")
}

export const command = defineCommand({
  usage: ["plugin remove [options] <plugin>"],
  words: { min: 1, max: 1, missing: "missing plugin; list them: pawl plugin list" },
  options: pluginRemoveOptions,
  examples: [["pawl plugin remove acme", "remove any version of acme"]],
  run: pluginRemove,
})
