import { type Config, formatKeyPath, type KeyPath, mergeLayers, valueAt } from "@pawl/config"
import type { Layer } from "@pawl/config/layer"

/** A value of the merged configuration. An empty object or list is a value as well. */
export interface ConfigValue {
  readonly path: KeyPath
  /** As a user would write it: `permission.bash["git *"]`. */
  readonly key: string
  readonly value: unknown
  /** Origin of the value: an absolute path, or the name of a source that is not a file. */
  readonly source: string
  /** From 1; absent where the source has no places. */
  readonly line?: number
  readonly column?: number
}

/** Every value of the merged layers with where it was written, in the order of the configuration. */
export function configValues(layers: readonly Layer[]): ConfigValue[] {
  const { config, origins } = mergeLayers(layers)
  return leaves(config, []).map(({ path, value }) => {
    const key = formatKeyPath(path)
    const source = origins.get(key) ?? ""
    const layer = layers.findLast((each) => each.source === source)
    const position = layer?.positionOf?.(pathIn(layer.config, path, value))
    return { path, key, value, source, ...position }
  })
}

/** The values at or below a key: `provider`, `provider.local`, `plugin[0]`. */
export function valuesBelow(values: readonly ConfigValue[], key: string): ConfigValue[] {
  return values.filter(({ key: each }) => each === key || [".", "["].some((next) => each.startsWith(key + next)))
}

interface Leaf {
  readonly path: KeyPath
  readonly value: unknown
}

function leaves(value: unknown, path: KeyPath): Leaf[] {
  const children = childrenOf(value)
  if (children.length === 0) return path.length === 0 ? [] : [{ path, value }]
  return children.flatMap(([key, child]) => leaves(child, [...path, key]))
}

function childrenOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item, at) => [at, item] as const)
  return typeof value === "object" && value !== null ? Object.entries(value) : []
}

/** Lists of several sources add up: an item has another index in its own source than in the whole. */
function pathIn(config: Config, path: KeyPath, value: unknown): KeyPath {
  const at = path.findIndex((key) => typeof key === "number")
  if (at === -1) return path
  const own = valueAt(config, path.slice(0, at))
  if (!Array.isArray(own)) return path
  const below = path.slice(at + 1)
  const index = own.findIndex((item) => valueAt(item, below) === value)
  return index === -1 ? path : [...path.slice(0, at), index, ...below]
}
