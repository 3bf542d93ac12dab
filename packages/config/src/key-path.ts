import { shortened } from "./shortened.ts"

/** From the root of a configuration to one value: names in objects, indexes in arrays. */
export type KeyPath = readonly (string | number)[]

const plainName = /^[\p{L}\p{N}_$@-]+$/u

/** As a user would write it: `plugin[0]`, `permission.bash["git *"]`. Different paths never look the same. */
export function formatKeyPath(path: KeyPath): string {
  return path
    .map((key, depth) => {
      if (typeof key === "number") return `[${key}]`
      if (!plainName.test(key)) return `[${JSON.stringify(key)}]`
      return depth === 0 ? key : `.${key}`
    })
    .join("")
}

/** For messages: as `formatKeyPath`, with long names cut, so that different paths may look the same. */
export function shortKeyPath(path: KeyPath): string {
  return formatKeyPath(path.map((key) => (typeof key === "number" ? key : shortened(key))))
}

/** The value at a path, or undefined where the path leads nowhere. Inherited properties do not count. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((parent, key) => {
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, key)) return undefined
    return (parent as Record<string | number, unknown>)[key]
  }, value)
}

/** The value without what the paths lead to; the value itself stays as it is. */
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
