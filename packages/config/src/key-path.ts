import { shortened } from "./shortened.ts"

/** A path from the root of a configuration to a value: names in objects, indexes in arrays. */
export type KeyPath = readonly (string | number)[]

const plainName = /^[\p{L}\p{N}_$@-]+$/u

/**
 * Returns the path as a user would write it: `plugin[0]`, `permission.bash["git *"]`. Different paths have different
 * results.
 */
export function formatKeyPath(path: KeyPath): string {
  return path
    .map((key, depth) => {
      if (typeof key === "number") return `[${key}]`
      if (!plainName.test(key)) return `[${JSON.stringify(key)}]`
      return depth === 0 ? key : `.${key}`
    })
    .join("")
}

/** Like `formatKeyPath`, with long names truncated, for messages. Different paths may have the same result. */
export function shortKeyPath(path: KeyPath): string {
  return formatKeyPath(path.map((key) => (typeof key === "number" ? key : shortened(key))))
}

/** Returns the value at a path; undefined if the path does not exist. Ignores inherited properties. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((parent, key) => {
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return undefined
    return (parent as Record<string | number, unknown>)[key]
  }, value)
}

/** Returns a copy of the value without these paths. */
export function withoutPaths(value: unknown, paths: readonly KeyPath[]): unknown {
  if (paths.length === 0 || typeof value !== "object" || value === null) return value
  const below = Map.groupBy(paths, ([key]) => key)
  const rests = (key: string | number) => (below.get(key) ?? []).map(([, ...rest]) => rest)
  if (Array.isArray(value)) return value.map((item, index) => withoutPaths(item, rests(index)))
  const entries = Object.entries(value).flatMap(([name, child]) => {
    const own = rests(name)
    return own.some((rest) => rest.length === 0) ? [] : [[name, withoutPaths(child, own)] as const]
  })
  return Object.fromEntries(entries)
}
