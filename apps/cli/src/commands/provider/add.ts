import { dirname } from "node:path"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { loadPackage, type PackageEntry, packageVersion } from "@pawl/provider-registry/package-entry"
import { kindOfPackage } from "@pawl/provider-registry/provider-kind"
import { openPackages } from "@pawl/runtime/plugins/open-packages"
import { editFile, pathIn, pathOf, pluginFile } from "@pawl/runtime/plugins/plugin-file"
import { shortPath } from "@pawl/terminal-text/short-path"
import { readSettings, type Settings } from "@pawl/runtime/config/settings"
import { format } from "../../command-options.ts"

const providerAddOptions = {
  id: { value: "<id>", summary: "id of the provider (default: from the package's name)" },
  ...format,
} as const

type Input = CommandInput<typeof providerAddOptions>

/** Installs a package that provides a provider, and adds it to the user's configuration. */
async function providerAdd({ options, words: [packageName = ""] }: Input, host: Host): Promise<ExitCode> {
  const kind = kindOfPackage(packageName)
  if (kind !== "package") {
    throw new UsageError(`${packageName} is not needed: pawl supports this API itself.`, "See: pawl models --help")
  }
  const settings = await readSettings(host, host.directory)
  const file = await pluginFile(settings, true)
  const path = pathOf(packageName, host.directory)
  const npm = path === undefined ? packageName : pathIn(dirname(file), path)
  const id = options.id ?? idOf(packageName)
  const entry = await entryOf({ npm, path, id }, settings, host)
  const create = await loadPackage(entry)
  const version = packageVersion(create, id)
  if (version !== undefined && version !== "v4") {
    throw new UsageError(
      `Nothing was written: ${packageName} is made for another AI SDK. Its models have the specification "${version}", and pawl takes "v4", that of AI SDK 7.`,
      "Install a newer version of it.",
    )
  }
  await editFile(file, ["provider", id, "npm"], npm)
  const where = shortPath(file, host.directory, host)
  if (options.format === "json") {
    host.stdout.write(`${JSON.stringify({ provider: id, package: npm, version: entry.version, file })}\n`)
    return exitCodes.success
  }
  const what = `${npm}${entry.version === undefined ? "" : ` ${entry.version}`}`
  if (path === undefined) host.stdout.write(`Installed ${what}, without running scripts of it.\n`)
  host.stdout.write(`Provider "${id}" is ${npm} in ${where}.\nTo use it: pawl run -m ${id}/<model> "…"\n`)
  return exitCodes.success
}

interface Asked {
  readonly npm: string
  /** Absolute path. Undefined for a package. */
  readonly path: string | undefined
  readonly id: string
}

/** Installs the package and returns its entry point. */
async function entryOf({ npm, path, id }: Asked, settings: Settings, host: Host): Promise<PackageEntry> {
  const { fileEntry, installedEntry } = await import("@pawl/plugin-loader")
  if (path !== undefined) return { npm, id, file: (await fileEntry(path)).entry }
  const { directory, record } = await (await openPackages(settings, host)).get(npm)
  return { npm, id, file: (await installedEntry(directory)).entry, version: record.version }
}

/** Returns `xai` for `@ai-sdk/xai@5`, `openrouter` for `@openrouter/ai-sdk-provider`, `mine` for `./mine.js`. */
function idOf(spec: string): string {
  const name = spec.replace(/(?<=.)@[^/]*$/, "")
  const own = (name.split("/").at(-1) ?? name).replace(/\.[cm]?[jt]s$/, "")
  const short = own.replaceAll(/(?:^|-)(?:ai-sdk|provider)(?=-|$)/g, "").replace(/^-|-$/g, "")
  return short || (/^@([^/]+)\//.exec(name)?.[1] ?? own)
}

export const command = defineCommand({
  usage: ["provider add [options] <package>"],
  notes: [
    "Installs an AI SDK package and adds it to your configuration. npm does not run its scripts. The version stays the same " +
      "until you add another one. The APIs of Anthropic, OpenAI and Google, and Chat Completions, need no package.",
  ],
  words: { min: 1, max: 1, missing: "missing package: pawl provider add <package or path>" },
  options: providerAddOptions,
  examples: [
    ["pawl provider add @ai-sdk/xai", "then run: pawl run -m xai/<model>"],
    ["pawl provider add @ai-sdk/azure@4 --id work", "install a version under another id"],
  ],
  run: providerAdd,
})
