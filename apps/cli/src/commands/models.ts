import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { openProviderAuth } from "@pawl/runtime/providers/open-provider-auth"
import { presetsWithKey } from "@pawl/provider-registry/choose-model"
import { type KnownModel, knownModels } from "@pawl/provider-registry/known-models"
import { openPlugins } from "@pawl/runtime/open-plugins"
import { modelDetails, modelTable } from "../render/model-lines.ts"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import type { Settings } from "@pawl/runtime/config/settings"
import { format } from "../command-options.ts"

const modelsOptions = {
  long: { short: "l", summary: "show all limits, prices, abilities and variants" },
  ...format,
} as const

async function models({ options, words }: CommandInput<typeof modelsOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const [provider] = words
  // Plugins are asked only if one provider is named.
  await using opened = await openPlugins({ directory: host.directory, host, isPure: provider === undefined })
  const { settings, engine, notices } = opened
  for (const notice of notices) stderr.write(`${secrets.mask(plainLine(notice))}\n`)
  const credentials = await openProviderAuth(settings, host, engine)
  const { demoDirectory } = host
  const found = await knownModels({ ...settings, ...credentials, environment, secrets, demoDirectory }, provider)
  const masked = found.map((model) => ({ ...model, source: secrets.mask(model.source) }))
  if (options.format === "json") {
    for (const model of masked) stdout.write(`${jsonRow(model)}\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const layout = { columns: stdout.isTerminal ? stdout.columns : Infinity, theme }
  const lines = options.long ? modelDetails(masked, layout) : modelTable(masked, layout)
  for (const line of lines) stdout.write(`${line}\n`)
  for (const { id, name } of provider === undefined ? withoutUsualModel(settings, host) : []) {
    stderr.write(`There is a key for ${name}: pawl models ${id} lists its models.\n`)
  }
  return exitCodes.success
}

function withoutUsualModel({ config }: Pick<Settings, "config">, { environment }: Host) {
  return presetsWithKey({ environment, config, hasAddress: false }).filter(({ model }) => model === undefined)
}

/** Returns a JSON line. Prices are dollars per million tokens, limits are tokens; 0 means unknown. */
function jsonRow({ ref, source, info, status }: KnownModel): string {
  const { name, limit, cost, capabilities, variants } = info ?? {}
  return JSON.stringify({ model: ref, source, status, name, limit, cost, capabilities, variants })
}

export const command = defineCommand({
  usage: ["models [options] [provider]"],
  notes: [
    "Lists models of the configuration, of saved keys and keys in the environment, of running local servers, and scripts. " +
      "Columns: tokens of the context window and of an answer, dollars per million input and output tokens (+: long requests " +
      "cost more), abilities, and the source. Unknown values are omitted.",
  ],
  words: { min: 0, max: 1 },
  options: modelsOptions,
  examples: [
    ["pawl models ollama", "list the models of the local Ollama server"],
    ["pawl models anthropic --long", "show details without a key or network"],
  ],
  run: models,
})
