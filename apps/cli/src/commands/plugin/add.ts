import { dirname } from "node:path"
import type { Config } from "@pawl/config"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { type Examined, examinePlugins, hooksOf } from "@pawl/runtime/examine-plugins"
import { pathIn, pathOf, pluginFile, writePlugin } from "@pawl/runtime/plugins/plugin-file"
import { trustAnew } from "@pawl/runtime/plugins/retrust"
import { plural } from "@pawl/terminal-text/quantity"
import { shortPath } from "@pawl/terminal-text/short-path"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { directoryOptions, format } from "../../command-options.ts"
import { requestedPlugin } from "@pawl/runtime/plugins/requested-plugins"

const pluginAddOptions = {
  global: { short: "g", summary: "use your own configuration instead of the project's" },
  ...directoryOptions,
  options: { value: "<json>", summary: "options of the plugin, as a JSON object" },
  ...format,
} as const

const SPECS =
  "A plugin is an npm package (acme, acme@^1, @acme/x), a path (./mine.ts, ../plugins/mine), a file: URL, or a bundled plugin: " +
  "compaction-prompt, guard, notify, otel."

type Input = CommandInput<typeof pluginAddOptions>

/** Tests a plugin and adds it to a configuration. */
async function pluginAdd({ options, words: [argument = ""] }: Input, host: Host): Promise<ExitCode> {
  const directory = await workDirectory(host, options.dir)
  const own = optionsOf(options.options)
  const settings = await readDefinedSettings(host, directory)
  const file = await pluginFile(settings, options.global === true)
  const path = pathOf(argument, host.directory)
  const spec = path === undefined ? argument : pathIn(dirname(file), path)
  const plugin: NonNullable<Config["plugin"]>[number] = own ? [spec, own] : spec
  // The user asked to run it, so it counts as the user's own.
  const layer = { config: {}, source: file, isProject: false }
  const wanted = requestedPlugin(plugin, layer, settings, host.home)
  const [examined] = await examinePlugins([wanted], settings, host)
  const problem = examined?.problems[0]
  if (!examined || problem !== undefined) {
    throw new UsageError(
      `Nothing was written: ${problem ?? `${argument} is not a plugin.`}`,
      "See: pawl plugin add --help",
    )
  }
  await writePlugin(file, plugin)
  const isTrusted = options.global === true || (await trustAnew(settings, file))
  tell({ examined, spec, file, isTrusted }, options.format ?? "text", directory, host)
  return exitCodes.success
}

interface Added {
  readonly examined: Examined
  readonly spec: string
  readonly file: string
  readonly isTrusted: boolean
}

function tell(
  { examined, spec, file, isTrusted }: Added,
  format: "text" | "json",
  directory: string,
  host: Host,
): void {
  const { stdout, stderr } = host
  const version = examined.member.origin?.version
  const hooks = hooksOf(examined.reports)
  const tools = examined.reports.reduce((sum, report) => sum + report.tools, 0)
  if (format === "json")
    stdout.write(`${JSON.stringify({ plugin: spec, version, file, hooks, tools, trusted: isTrusted })}\n`)
  else {
    const what = `${spec}${version === undefined ? "" : ` ${version}`}`
    stdout.write(`Added ${what} to ${shortPath(file, directory, host)}.\n`)
    stdout.write(
      `It ${hooks.length === 0 ? "hooks nothing" : `hooks ${hooks.join(", ")}`}, and gives ${plural(tools, "tool")}.\n`,
    )
  }
  for (const notice of examined.notices) stderr.write(`${host.secrets.mask(notice)}\n`)
  if (!isTrusted) stderr.write("This project is not trusted, so the plugin is skipped. Trust it: pawl trust\n")
}

function optionsOf(written: string | undefined): Record<string, unknown> | undefined {
  if (written === undefined) return undefined
  const value = parsed(written)
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new UsageError(
    `invalid value for --options: expected a JSON object: ${written}`,
    `Example: --options '{"level": 2}'`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const command = defineCommand({
  usage: ["plugin add [options] <plugin>"],
  notes: [
    SPECS,
    "The plugin is installed and started once. If that fails, it is not added. npm does not run its scripts. A trusted project " +
      "stays trusted.",
  ],
  words: { min: 1, max: 1, missing: "missing plugin: pawl plugin add <package or path>" },
  options: pluginAddOptions,
  examples: [
    ["pawl plugin add ./tools/ticket.ts", "add a file to this project"],
    ["pawl plugin add --global acme@^1", "add a package to your configuration"],
    ["pawl plugin add notify -g --options '{\"after\": 60}'", "add a bundled plugin with options"],
  ],
  run: pluginAdd,
})
