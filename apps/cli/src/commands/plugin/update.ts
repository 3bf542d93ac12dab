import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { explainError } from "../../explain-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { knownPlugins } from "@pawl/runtime/plugins/known-plugins"
import { openPackages } from "@pawl/runtime/plugins/open-packages"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { formattedDirectoryOptions } from "../../command-options.ts"

/** Updates the configured packages from npm. */
async function pluginUpdate(
  { options, words: [name] }: CommandInput<typeof formattedDirectoryOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr } = host
  const settings = await readDefinedSettings(host, await workDirectory(host, options.dir))
  const packages = await openPackages(settings, host)
  const all = (await knownPlugins(settings, host, packages)).plugins.filter(({ wanted }) => wanted.kind === "npm")
  const chosen = all.filter(
    ({ wanted: { spec } }) => name === undefined || spec === name || spec.startsWith(`${name}@`),
  )
  if (chosen.length === 0) {
    if (name === undefined) stderr.write("No packages are configured.\n")
    else throw new UsageError(`unknown package "${name}"`, "List them: pawl plugin list")
  }
  let isWell = true
  for (const { wanted, version: before, trust } of chosen) {
    try {
      const { version } = (await packages.update(wanted.spec)).record
      if (options.format === "json") stdout.write(`${JSON.stringify({ plugin: wanted.written, before, version })}\n`)
      else stdout.write(`${wanted.written}: ${change(before, version)}\n`)
      if (trust === "trusted" && version !== before) {
        stderr.write(`${wanted.source} uses it. Trust the new version: pawl trust\n`)
      }
    } catch (error) {
      isWell = false
      stderr.write(`${wanted.written}: ${host.secrets.mask(explainError(error).message)}\n`)
    }
  }
  return isWell ? exitCodes.success : exitCodes.failed
}

function change(before: string | undefined, now: string): string {
  if (before === undefined) return `${now}, new`
  return before === now ? `${now}, as before` : `${before} -> ${now}`
}

export const command = defineCommand({
  usage: ["plugin update [options] [name]"],
  notes: [
    "A package keeps its installed version until this command updates it. Running sessions keep the old version. If a package " +
      "of a trusted project changes, trust the project again.",
  ],
  words: { min: 0, max: 1 },
  options: formattedDirectoryOptions,
  examples: [["pawl plugin update", "update every configured package"]],
  run: pluginUpdate,
})
