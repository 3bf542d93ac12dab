import type { CommandInput } from "../arguments/command.ts"
import type { modelsOptions } from "./models.form.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { knownModels } from "../model/known-models.ts"
import { plainLine } from "../render/plain.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { columnsOf } from "../render/width.ts"
import { readSettings } from "../settings/settings.ts"

export async function models({ options, words }: CommandInput<typeof modelsOptions>, host: Host): Promise<ExitCode> {
  const { stdout, environment, secrets } = host
  const settings = await readSettings(host, host.directory)
  const found = await knownModels(
    { ...settings, environment, secrets: host.secrets, demoDirectory: host.demoDirectory },
    words[0],
  )
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
