import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { openAuthFile } from "@pawl/credentials/auth-file"
import { keySources } from "@pawl/provider-registry/key-sources"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { plainLine } from "@pawl/plain-text"
import { shortPath } from "@pawl/terminal-text/short-path"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { columnsOf } from "@pawl/terminal-text/width"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readSettings } from "@pawl/runtime/config/settings"
import { format } from "../../command-options.ts"

const directoryOption = {
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "use the plugins of this directory (default: this one)",
  },
} as const

const authListOptions = { ...directoryOption, ...format } as const

/** Lists credentials and where each one comes from. Never prints a credential. */
async function authList({ options }: CommandInput<typeof authListOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const directory = await workDirectory(host, options.dir)
  const settings = await readSettings(host, directory)
  const file = openAuthFile(settings, host)
  const found = keySources({ ...settings, file: file.path, kept: await file.all(), environment })
  if (options.format === "json") {
    for (const { providerID, kind, source } of found) {
      stdout.write(`${JSON.stringify({ provider: providerID, kind, source: secrets.mask(source) })}\n`)
    }
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const rows = found.map(({ providerID, kind, source }) => ({
    ...{ provider: plainLine(providerID), kind },
    source: plainLine(secrets.mask(source.startsWith("/") ? shortPath(source, directory, host) : source)),
  }))
  const width = Math.max(0, ...rows.map(({ provider }) => columnsOf(provider)))
  for (const { provider, kind, source } of rows) {
    stdout.write(`${provider}${" ".repeat(width - columnsOf(provider))}  ${kind}  ${theme.faint(source)}\n`)
  }
  if (rows.length === 0) stderr.write("No credentials. Add one: pawl auth login\n")
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["auth list [options]"],
  notes: ["If a provider has several credentials, the first one listed is used."],
  words: { min: 0, max: 0 },
  options: authListOptions,
  examples: [["pawl auth list", "keys are never shown"]],
  run: authList,
})
