import { formatKeyPath, type KeyPath, mergeLayers, valueAt } from "@pawl/config"
import { hidePasswords } from "@pawl/config/hide-passwords"
import { isSecretName } from "@pawl/secrets"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { suggestion } from "@pawl/config/suggestion"
import { UsageError } from "../../arguments/usage-error.ts"
import { withActing } from "@pawl/runtime/config/acting-layers"
import { type ConfigValue, configValues, valuesBelow } from "../../config/config-values.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { foreignLine } from "@pawl/terminal-text/foreign-lines"
import { shortPath } from "@pawl/terminal-text/short-path"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { visibleJSON } from "@pawl/terminal-text/visible-json"
import { columnsOf } from "@pawl/terminal-text/width"
import type { Layer } from "@pawl/config/layer"
import { readSettings } from "@pawl/runtime/config/settings"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { directoryOptions, format } from "../../command-options.ts"

const configShowOptions = {
  origin: { summary: "show the file, line and column, or the variable, of each value" },
  ...directoryOptions,
  ...format,
} as const

/** Prints the effective configuration of a directory. */
async function configShow(
  { options, words: [key] }: CommandInput<typeof configShowOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr, secrets } = host
  const directory = options.dir === undefined ? host.directory : await workDirectory(host, options.dir)
  const { layers, trust } = await readSettings(host, directory)
  for (const notice of trust.notices) stderr.write(`${foreignLine(notice)}\n`)
  const hidden = hiding(secrets)
  const isTold = options.origin === true || options.format === "json"
  const asWritten = (isTold ? withActing(layers, host) : layers).map(withReferences)
  const values = chosen(configValues(asWritten), key).map((each) => {
    return { ...each, value: hidden(String(each.path.at(-1)), each.value) }
  })
  if (options.format === "json") {
    for (const { path: _, ...value } of values) stdout.write(`${visibleJSON(value)}\n`)
    return exitCodes.success
  }
  if (!options.origin) {
    const { config } = mergeLayers(asWritten)
    stdout.write(`${visibleJSON(valueAt(config, pathOf(key, values)), hidden, 2)}\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(host.environment, stdout.isTerminal))
  const rows = values.map((value) => ({
    text: foreignLine(`${value.key} = ${JSON.stringify(value.value)}`),
    origin: foreignLine(originOf(value, host)),
  }))
  const width = Math.max(
    0,
    ...rows.map(({ text }) => columnsOf(text)).filter((columns) => columns <= MAX_VALUE_COLUMNS),
  )
  for (const { text, origin } of rows) {
    stdout.write(`${text}${" ".repeat(Math.max(0, width - columnsOf(text)))}  ${theme.faint(origin)}\n`)
  }
  return exitCodes.success
}

/** Width of the value column. A longer value does not move the origins of others. */
const MAX_VALUE_COLUMNS = 60

function chosen(values: readonly ConfigValue[], key: string | undefined): readonly ConfigValue[] {
  if (key === undefined) return values
  const found = valuesBelow(values, key)
  if (found.length > 0) return found
  const near = suggestion(key, [...new Set(values.flatMap(({ path, key: each }) => [each, String(path[0])]))])
  const hint = near === undefined ? "List all values: pawl config show --origin" : `Did you mean ${near}?`
  throw new UsageError(`Nothing is configured at "${foreignLine(key)}".`, hint)
}

const REFERENCE = /^(?:[A-Za-z]+ )?\{(?:env|file):[^{}]*\}$/

/** Returns the layer with references as written, not resolved. */
function withReferences(layer: Layer): Layer {
  return layer.written === undefined ? layer : { ...layer, config: layer.written }
}

/** Returns a function that hides a value by its name. */
function hiding(secrets: Host["secrets"]) {
  return (name: string, value: unknown): unknown => {
    if (typeof value !== "string") return value
    // A reference is not a secret: it only names its source.
    if (REFERENCE.test(value)) return value
    return name === "apiKey" || isSecretName(name) ? "(hidden)" : hidePasswords(secrets.mask(value))
  }
}

/** Returns the path of a key, found by a value at or below it. */
function pathOf(key: string | undefined, values: readonly ConfigValue[]): KeyPath {
  const { path = [] } = values[0] ?? {}
  const depth = path.findIndex((_, at) => formatKeyPath(path.slice(0, at + 1)) === key)
  return path.slice(0, depth + 1)
}

function originOf({ source, line, column }: ConfigValue, host: Host): string {
  return [shortPath(source, host.directory, host), line, column].filter((each) => each !== undefined).join(":")
}

export const command = defineCommand({
  usage: ["config show [options] [key]"],
  notes: [
    "Sources, lowest precedence first: your organization, your pawl.jsonc, the files of OPENCODE_CONFIG and of --config or " +
      "PAWL_CONFIG, the project's files from its root down to this directory, OPENCODE_CONFIG_CONTENT, PAWL_CONFIG_CONTENT. " +
      "If there is no pawl.jsonc, OpenCode's opencode.jsonc is read instead. Settings that need trust are omitted until the project is trusted.",
    "Keys and other secrets are masked; references to them are shown as written. With --origin, the list includes environment " +
      "variables that override the configuration.",
  ],
  words: { min: 0, max: 1 },
  options: configShowOptions,
  examples: [
    ["pawl config show", "all values, as one JSON document"],
    ["pawl config show --origin", "show where each value is set"],
    ["pawl config show permission.bash --origin", "show only the values below a key"],
    ["pawl config show model --format json", "print one JSON object per value"],
  ],
  run: configShow,
})
