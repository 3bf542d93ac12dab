import { formatKeyPath, type KeyPath } from "./key-path.ts"
import type { Position } from "./finding.ts"
import { isPluginPath, pluginName } from "./plugin-name.ts"
import type { LeftOut } from "./left-out.ts"
import type { Config } from "./schema.ts"
import type { LayerKind } from "./source.ts"

/** The configuration of one source, validated separately. */
export interface ConfigLayer {
  /** Absolute path, address, name of a variable, or `overrides`. */
  source: string
  kind: LayerKind
  /** The option or variable that names the file, for a layer of kind `file`. */
  namedBy?: string
  config: Config
  /** The configuration before references were replaced. Absent if it has no references. */
  written?: Config
  /** Ignored entries of a file for OpenCode or of an organization, in the order of the text. */
  leftOut: readonly LeftOut[]
  /**
   * Returns the position of a key in the source, also if it has a deprecated spelling; of a list item by its index.
   * Undefined for overrides and for keys that the source does not have. Computed on demand.
   */
  positionOf(path: KeyPath): Position | undefined
}

export interface Merged {
  config: Config
  origins: ReadonlyMap<string, string>
}

/** A value with the source of each of its parts. A Map, unlike an object, allows to move a key to the end. */
type Sourced =
  | { kind: "table"; source: string; entries: ReadonlyMap<string, Sourced> }
  | { kind: "list"; source: string; items: readonly Sourced[] }
  | { kind: "scalar"; source: string; value: unknown }

/**
 * Merges layers, lowest precedence first: objects merge, `instructions` and `plugin` add up without duplicates, anything
 * else is replaced. Of two entries for the same plugin, the higher layer's counts; the same holds for an MCP server with
 * a type. Keys of higher layers come last, since the last permission rule decides.
 */
export function mergeLayers(layers: readonly Pick<ConfigLayer, "source" | "config">[]): Merged {
  const nothing: Sourced = { kind: "table", source: "", entries: new Map() }
  const merged = layers.reduce<Sourced>((low, { source, config }) => merge(low, toSourced(config, source), []), nothing)
  const origins = new Map<string, string>()
  return { config: toValue(merged, [], origins) as Config, origins }
}

function merge(low: Sourced, high: Sourced, path: KeyPath): Sourced {
  if (low.kind === "list" && high.kind === "list") {
    if (formatKeyPath(path) === "instructions") return union(low, high)
    if (formatKeyPath(path) === "plugin") return lastOfEach(low, high)
  }
  if (low.kind === "list" || high.kind === "list") return high
  if (low.kind === "scalar" && high.kind === "scalar") return high
  if (low.kind === "scalar" || high.kind === "scalar") {
    // A single action is a rule for `*`.
    return isPermission(path) ? merge(asRule(low), asRule(high), path) : high
  }

  // Does not merge servers, since a mixture of two servers would match neither.
  if (path.length === 2 && path[0] === "mcp" && high.entries.has("type")) return high

  const entries = new Map(low.entries)
  for (const [key, value] of high.entries) {
    const below = entries.get(key)
    entries.delete(key)
    entries.set(key, below === undefined ? value : merge(below, value, [...path, key]))
  }
  return { kind: "table", source: high.source, entries }
}

type List = Extract<Sourced, { kind: "list" }>

function union(low: List, high: List): Sourced {
  const items = new Map<unknown, Sourced>()
  for (const item of [...low.items, ...high.items]) {
    const value = item.kind === "scalar" ? item.value : item
    if (!items.has(value)) items.set(value, item)
  }
  return { kind: "list", source: high.source, items: [...items.values()] }
}

function lastOfEach(low: List, high: List): List {
  const items = new Map<string, Sourced>()
  for (const item of [...low.items, ...high.items]) {
    const name = pluginIdentity(item)
    items.delete(name)
    items.set(name, item)
  }
  return { kind: "list", source: high.source, items: [...items.values()] }
}

/** Identifies a plugin: a package regardless of its version, a path together with its source. */
function pluginIdentity(item: Sourced): string {
  const spec = item.kind === "list" ? item.items[0] : item
  const written = spec?.kind === "scalar" ? String(spec.value) : ""
  return isPluginPath(written) ? `${item.source}:${written}` : pluginName(written)
}

/** Returns true for `permission`, `agent.<name>.permission`, and each permission in them. */
export function isPermission(path: KeyPath): boolean {
  return path[path[0] === "agent" ? 2 : 0] === "permission"
}

function asRule(action: Sourced): Sourced {
  if (action.kind !== "scalar") return action
  return { kind: "table", source: action.source, entries: new Map([["*", action]]) }
}

function toSourced(value: unknown, source: string): Sourced {
  if (Array.isArray(value)) return { kind: "list", source, items: value.map((item) => toSourced(item, source)) }
  if (typeof value !== "object" || value === null) return { kind: "scalar", source, value }
  const entries = Object.entries(value).map(([key, child]) => [key, toSourced(child, source)] as const)
  return { kind: "table", source, entries: new Map(entries) }
}

function toValue(sourced: Sourced, path: KeyPath, origins: Map<string, string>): unknown {
  if (path.length > 0 && isLeaf(sourced)) origins.set(formatKeyPath(path), sourced.source)
  if (sourced.kind === "scalar") return sourced.value
  if (sourced.kind === "list") return sourced.items.map((item, index) => toValue(item, [...path, index], origins))
  return Object.fromEntries(
    Array.from(sourced.entries, ([key, child]) => [key, toValue(child, [...path, key], origins)]),
  )
}

function isLeaf(sourced: Sourced): boolean {
  if (sourced.kind === "table") return sourced.entries.size === 0
  return sourced.kind === "scalar" || sourced.items.length === 0
}
