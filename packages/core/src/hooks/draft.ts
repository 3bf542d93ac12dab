import type { z } from "zod"
import { asJSON, kept, type Origins } from "./copy.ts"

/** What a handler may edit, and what it made of it. */
export interface Draft {
  /** The handler's own: it may keep it, and what it does to it later counts for nothing. */
  readonly own: unknown
  /**
   * The value afterwards, checked by the schema. What the handler has not changed is the engine's own value still, so
   * that a large draft costs little and what is remembered of its pieces stays valid. Throws what is wrong with it.
   */
  readonly readBack: (returned: unknown) => unknown
}

export function createDraft(schema: z.ZodType, value: object): Draft {
  const origins: Origins = new WeakMap()
  const own = asJSON(value, origins)
  return {
    own,
    readBack(returned) {
      // Concise arrow functions return whatever their last expression is: only what is a draft counts as one.
      const isDraft = returned !== undefined && returned !== own && schema.safeParse(returned).success
      const now = kept(value, isDraft ? returned : own, origins)
      return now === value ? value : checked(schema, value as Fields, now)
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Looks at what has changed: of lists, only at the items that are new. */
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
  throw new TypeError(`it left what is no output of this hook: ${problems.slice(0, 3).join("; ")}`)
}
