import { type Config, ConfigError, checkedLayer } from "@pawl/config"
import type { Layer } from "@pawl/config/layer"

type Fields = Readonly<Record<string, unknown>>

/** Changes of a plugin's hook to the configuration, as a layer above all others. */
export interface ConfigChanges {
  /** Absent if no change is valid. */
  readonly layer?: Layer
  /** Messages about ignored changes, with the reason. */
  readonly problems: readonly string[]
}

/** Tables whose entries are checked one by one. */
const TABLES: readonly string[] = ["agent", "command", "provider", "mcp"]
/** Source of the layers. */
export const PLUGINS = "plugins"

/**
 * Takes only the differences that a configuration may contain. A removed agent is disabled. Other removed keys are
 * kept, and a plugin cannot add plugins.
 */
export async function configChanges(id: string, before: Config, after: Config): Promise<ConfigChanges> {
  const { plugin: _, ...changed } = difference(before, after)
  const pieces = Object.entries(changed).flatMap(([key, value]): Fields[] => {
    if (!TABLES.includes(key) || !isFields(value)) return [{ [key]: value }]
    return Object.entries(value).map(([name, each]) => ({ [key]: { [name]: each } }))
  })
  for (const name of Object.keys(before.agent ?? {})) {
    if (!Object.hasOwn(after.agent ?? {}, name)) pieces.push({ agent: { [name]: { disable: true } } })
  }
  if (pieces.length === 0) return { problems: [] }
  const problems: string[] = []
  const layers: Config[] = []
  for (const piece of pieces) {
    try {
      layers.push((await checkedLayer(PLUGINS, piece)).config)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(
        ...error.problems.map(({ message }) => `What plugin ${id} made of the configuration is left out: ${message}`),
      )
    }
  }
  const config = layers.reduce<Fields>((all, each) => joined(all, each), {}) as Config
  const layer: Layer = { config, source: PLUGINS, plugin: `plugin ${id}`, isProject: false }
  return { problems, ...(layers.length > 0 ? { layer } : {}) }
}

/** Returns the parts of `after` that `before` does not have, including those of nested tables. */
function difference(before: Fields, after: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, value]) => {
      const old = before[key]
      if (value === undefined || JSON.stringify(old) === JSON.stringify(value)) return []
      if (!isFields(value)) return [[key, value]]
      if (key === "mcp") return [[key, changedServers(asTable(key, old), value)]]
      return [[key, difference(asTable(key, old), value)]]
    }),
  )
}

/** A changed server is taken as a whole, unless only `enabled` changed. */
function changedServers(before: Fields, after: Fields): Fields {
  return Object.fromEntries(
    Object.entries(difference(before, after)).map(([name, changed]) => {
      const isSwitch = isFields(changed) && Object.keys(changed).every((key) => key === "enabled")
      return [name, isSwitch ? changed : after[name]]
    }),
  )
}

/** Converts a single action for everything into a table with one rule. */
function asTable(key: string, value: unknown): Fields {
  if (isFields(value)) return value
  return key === "permission" && typeof value === "string" ? { "*": value } : {}
}

function joined(all: Fields, piece: Fields): Fields {
  const entries = Object.entries(piece).map(([key, value]) => {
    const known = all[key]
    return [key, isFields(known) && isFields(value) ? { ...known, ...value } : value]
  })
  return { ...all, ...Object.fromEntries(entries) }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
