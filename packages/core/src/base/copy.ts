/** Levels of nesting that are copied. A deeper value is treated as one that contains itself. */
const MAX_DEPTH = 500

/**
 * Maps the objects of a plugin's copy to the engine's values they were copied from, because plugins may reorder lists.
 */
export type Origins = WeakMap<object, object>

/**
 * Copies the value as it would come back from the storage, sharing nothing with it: dates become texts, NaN becomes
 * null, functions are dropped. Throws TypeError for a cycle, which no storage could write.
 */
export function asJSON(value: unknown, origins?: Origins): unknown {
  return copied(value, 0, origins)
}

function copied(value: unknown, depth: number, origins: Origins | undefined): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value
  // JSON has no negative zero.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : null
  if (typeof value === "bigint") throw new TypeError("JSON has no BigInt")
  if (typeof value !== "object") return undefined
  if (depth > MAX_DEPTH) throw new TypeError(`it contains itself, or is nested deeper than ${MAX_DEPTH} levels`)
  if ("toJSON" in value && typeof value.toJSON === "function") return copied(value.toJSON(), depth + 1, origins)
  return Array.isArray(value) ? copiedList(value, depth, origins) : copiedObject(value, depth, origins)
}

function copiedList(list: readonly unknown[], depth: number, origins: Origins | undefined): unknown[] {
  const copy: unknown[] = []
  for (const item of list) {
    const own = copied(item, depth + 1, origins) ?? null
    copy.push(own)
    if (origins && typeof own === "object" && own !== null) origins.set(own, item as object)
  }
  return copy
}

function copiedObject(value: object, depth: number, origins: Origins | undefined): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const own = copied((value as Record<string, unknown>)[key], depth + 1, origins)
    if (own !== undefined) put(copy, key, own)
  }
  return copy
}

/** Sets a property as JSON.parse does, so that a key `__proto__` is a key like any other. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * Returns the content of a draft. Unchanged values are shared with the value it was copied from; the result is that
 * value if nothing changed. Changed values are copied as JSON, so that the plugin shares nothing with the result.
 */
export function kept(value: unknown, draft: unknown, origins: Origins, depth = 0): unknown {
  if (typeof draft !== "object" || draft === null) return Object.is(value, draft) ? value : asJSON(draft)
  if (depth > MAX_DEPTH) throw new TypeError(`it contains itself, or is nested deeper than ${MAX_DEPTH} levels`)
  const origin = origins.get(draft) ?? value
  if (typeof origin !== "object" || origin === null || "toJSON" in draft) return asJSON(draft)
  if (Array.isArray(draft)) return Array.isArray(origin) ? keptList(origin, draft, origins, depth) : asJSON(draft)
  if (Array.isArray(origin)) return asJSON(draft)
  const before = origin as Record<string, unknown>
  const now: Record<string, unknown> = {}
  let isSame = true
  let count = 0
  for (const key of Object.keys(draft)) {
    const had = Object.hasOwn(before, key) ? before[key] : undefined
    const has = kept(had, (draft as Record<string, unknown>)[key], origins, depth + 1)
    if (has === undefined) continue
    put(now, key, has)
    count++
    if (!Object.is(has, had)) isSame = false
  }
  return isSame && count === Object.keys(before).length ? before : now
}

function keptList(before: readonly unknown[], draft: readonly unknown[], origins: Origins, depth: number): unknown {
  const now = Array.from(draft, (item, at) => kept(before[at], item, origins, depth + 1) ?? null)
  return now.length === before.length && now.every((item, at) => Object.is(item, before[at])) ? before : now
}

/** Returns a deeply frozen copy. The value may contain itself. */
export function frozenCopy<T>(value: T): T {
  return frozen(value, 0) as T
}

/** Copies plain values directly, which is faster than structuredClone: most values are plain and shallow. */
function frozen(value: unknown, depth: number): unknown {
  if (typeof value === "function") return undefined
  if (typeof value !== "object" || value === null) return value
  if (depth > MAX_DEPTH) return undefined
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozen(item, depth + 1)))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return deepFrozen(structuredClone(value))
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) put(copy, key, frozen((value as Record<string, unknown>)[key], depth + 1))
  return Object.freeze(copy)
}

function deepFrozen<T>(value: T): T {
  // A frozen value was visited before: values may contain themselves.
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFrozen(inner)
  return value
}
