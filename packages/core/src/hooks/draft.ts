import type { z } from "zod"
import { asJSON, kept, type Origins } from "../base/copy.ts"

/** A draft that a handler may edit, and its result. */
export interface Draft {
  /** The handler's own copy. The handler may keep it; later changes have no effect. */
  readonly own: unknown
  /**
   * Returns the edited value, checked by the schema. Unchanged values stay the engine's own, so that a large draft
   * costs little and caches of its pieces stay valid. Throws the problem of an invalid draft.
   */
  readonly readBack: (returned: unknown) => unknown
  /**
   * Returns the problem of the handler's returned value; undefined if the value may be a side effect, as of `(_, o) =>
   * o.parts.push(x)`.
   */
  readonly nonsense: (returned: unknown) => string | undefined
}

export function createDraft(schema: z.ZodType, value: object): Draft {
  const origins: Origins = new WeakMap()
  const own = asJSON(value, origins)
  // Concise arrow functions return the value of their expression: only a valid draft counts as one.
  const isDraft = (returned: unknown) => {
    return returned !== undefined && returned !== own && schema.safeParse(returned).success
  }
  return {
    own,
    nonsense(returned) {
      if (!isTelling(returned) || isDraft(returned)) return undefined
      const isPart = typeof returned === "object" && origins.has(returned)
      if (isPart || holds(own, returned)) return undefined
      return `it returned ${shown(returned)}, which is not an output of this hook: return nothing, or ${whole(schema)}`
    },
    readBack(returned) {
      const now = kept(value, isDraft(returned) ? returned : own, origins)
      return now === value ? value : checked(schema, value as Fields, now)
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Checks the changed values: in lists, only the new items. */
function checked(schema: z.ZodType, before: Fields, now: unknown): unknown {
  if (typeof now !== "object" || now === null || Array.isArray(now)) return parsed(schema, now, new Map())
  const changes = new Map<string, readonly number[]>()
  const reduced: Record<string, unknown> = { ...now }
  for (const [key, list] of Object.entries(now)) {
    const had = before[key]
    if (!Array.isArray(list) || !Array.isArray(had)) continue
    const known = new Set<unknown>(had)
    const changed = [...list.keys()].filter((at) => typeof list[at] !== "object" || !known.has(list[at]))
    changes.set(key, changed)
    reduced[key] = changed.map((at) => list[at] as unknown)
  }
  const result = parsed(schema, reduced, changes) as Record<string, unknown>
  for (const [key, changed] of changes) {
    const items = result[key]
    if (!Array.isArray(items)) continue
    const whole = [...((now as Fields)[key] as readonly unknown[])]
    for (const [n, at] of changed.entries()) whole[at] = items[n]
    result[key] = whole
  }
  return result
}

function parsed(schema: z.ZodType, value: unknown, changes: ReadonlyMap<string, readonly number[]>): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path: [key, item, ...rest], message }) => {
    const at = typeof item === "number" ? (changes.get(String(key))?.[item] ?? item) : item
    const path = [key, at, ...rest].filter((step) => step !== undefined)
    return path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message
  })
  throw new TypeError(`it left an invalid output of this hook: ${problems.slice(0, 3).join("; ")}`)
}

/**
 * Returns whether a returned value looks intended. Numbers, booleans and the like are usually values of an expression,
 * such as the new length of a list.
 */
function isTelling(returned: unknown): returned is object | string {
  if (typeof returned === "string") return returned !== ""
  if (typeof returned === "function") return true
  if (typeof returned !== "object" || returned === null) return false
  const prototype: unknown = Object.getPrototypeOf(returned)
  return Array.isArray(returned) || prototype === Object.prototype || prototype === null
}

/** Maximum number of searched values of a draft. */
const MAX_SEARCHED = 10_000

/** Returns whether a value is, or contains, the same object, as after an assignment. */
function holds(value: unknown, sought: unknown): boolean {
  const waiting = [value]
  const seen = new Set<unknown>()
  for (let at = 0; at < waiting.length && at < MAX_SEARCHED; at++) {
    const each = waiting[at]
    if (each === sought) return true
    if (typeof each !== "object" || each === null || seen.has(each)) continue
    seen.add(each)
    waiting.push(...Object.values(each).slice(0, MAX_SEARCHED))
  }
  return false
}

/** Characters of a quoted value. */
const MAX_SHOWN = 60

function shown(returned: unknown): string {
  if (typeof returned === "function") return "a function"
  const text = attempt(() => JSON.stringify(returned)) ?? "a value that is not JSON"
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
}

function whole(schema: z.ZodType): string {
  const names = "shape" in schema ? Object.keys(schema.shape as object) : []
  return names.length === 0 ? "all of the draft" : `an object with all of ${names.join(", ")}`
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
