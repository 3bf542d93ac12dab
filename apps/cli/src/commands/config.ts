import { formatKeyPath, jsonSchema, type KeyPath, type LayerKind, mergeLayers, valueAt } from "@pawl/config"
import { hidePasswords } from "@pawl/config/hide-passwords"
import { isSecretName } from "@pawl/secrets"
import type { CommandInput } from "../arguments/command.ts"
import { suggestion } from "../arguments/suggestion.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { withActing } from "@pawl/runtime/config/acting-layers"
import { type ConfigValue, configValues, valuesBelow } from "../config/config-values.ts"
import { placed } from "@pawl/runtime/config/ignored-notices"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { foreignLine } from "../render/foreign-lines.ts"
import { shortPath } from "../render/short-path.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { visibleJSON } from "../render/visible-json.ts"
import { columnsOf } from "../render/width.ts"
import type { Layer } from "@pawl/config/layer"
import { readSettings } from "@pawl/runtime/config/settings"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import type { configFilesOptions, configSchemaOptions, configShowOptions } from "./config.form.ts"

/** Prints the effective configuration of a directory. */
export async function configShow(
  { options, words: [key] }: CommandInput<typeof configShowOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr, secrets } = host
  const { layers, trust } = await settingsAt(options.dir, host)
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

const WHOSE: Partial<Record<LayerKind, string>> = {
  organization: " · of your organization",
  project: " · of the project",
}

/** Lists the sources, lowest precedence first. */
export async function configFiles({ options }: CommandInput<typeof configFilesOptions>, host: Host): Promise<ExitCode> {
  const { stdout } = host
  const { layers, trust, configDirectory } = await settingsAt(options.dir, host)
  if (options.format === "json") {
    for (const { source, isProject, kind, leftOut = [] } of layers) {
      const isTrusted = !isProject || trust.isTrusted
      stdout.write(`${visibleJSON({ source, kind, isProject, isTrusted, leftOut })}\n`)
    }
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(host.environment, stdout.isTerminal))
  for (const { source, isProject, kind = "overrides", namedBy, withheld = {}, leftOut = [] } of layers) {
    const whose = namedBy === undefined ? (WHOSE[kind] ?? "") : ` · named by ${namedBy}`
    const left = Object.keys(withheld)
    const note = isProject && left.length > 0 ? `, not trusted: without ${left.join(", ")}` : ""
    stdout.write(`${foreignLine(source)}${theme.faint(whose + note)}\n`)
    for (const each of leftOut) {
      const text = `without ${placed(each)}: ${each.reason ?? "pawl does not know it"}`
      stdout.write(`  ${theme.faint(foreignLine(text))}\n`)
    }
  }
  if (layers.length === 0) stdout.write(`Nothing is configured. Your own file would be ${configDirectory}/pawl.jsonc\n`)
  return exitCodes.success
}

/** Prints the schema of a configuration file. */
export async function configSchema(_: CommandInput<typeof configSchemaOptions>, { stdout }: Host): Promise<ExitCode> {
  stdout.write(`${JSON.stringify(await jsonSchema(), null, 2)}\n`)
  return exitCodes.success
}

async function settingsAt(directory: string | undefined, host: Host) {
  return readSettings(host, directory === undefined ? host.directory : await workDirectory(host, directory))
}

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
