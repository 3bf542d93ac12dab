import type { Engine } from "@pawl/core"
import type { CommandInput } from "../arguments/command.ts"
import type { modelsOptions } from "./models.form.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { openProviderAuth } from "../auth/open-provider-auth.ts"
import { knownModels } from "../model/known-models.ts"
import { inspect, type Inspected } from "../plugins/inspect.ts"
import { plainLine } from "../render/plain.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { columnsOf } from "../render/width.ts"
import { readDefinedSettings } from "../settings/definitions.ts"

export async function models({ options, words }: CommandInput<typeof modelsOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const [provider] = words
  const find = async ({ settings, notices }: Pick<Inspected, "settings" | "notices">, engine: Engine | undefined) => {
    for (const notice of notices) stderr.write(`${secrets.mask(plainLine(notice))}\n`)
    const opened = await openProviderAuth(settings, host, engine)
    return knownModels({ ...settings, ...opened, environment, secrets, demoDirectory: host.demoDirectory }, provider)
  }
  // Of one provider plugins may know more.
  const settings = await readDefinedSettings(host, host.directory)
  const found = await (provider === undefined
    ? find({ settings, notices: [] }, undefined)
    : inspect(settings, host, find))
  if (options.format === "json") {
    for (const { ref, source } of found)
      stdout.write(`${JSON.stringify({ model: ref, source: secrets.mask(source) })}\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const rows = found.map(({ ref, source }) => ({ ref: plainLine(ref), source: plainLine(secrets.mask(source)) }))
  const width = Math.max(...rows.map(({ ref }) => columnsOf(ref)))
  for (const { ref, source } of rows) stdout.write(`${ref.padEnd(width)}  ${theme.faint(source)}\n`)
  return exitCodes.success
}
