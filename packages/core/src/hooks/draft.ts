import type { z } from "zod"

/**
 * A copy that shares nothing with the value, as it would come back from the storage: dates become texts, NaN becomes
 * null, functions vanish. Throws where there is a cycle, which no storage could write.
 */
export function asJSON(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : JSON.parse(text)
}

/** What a handler made of its draft. The handler may keep what it has: what is read back is no longer its own. */
export function readBack(schema: z.ZodType, returned: unknown, own: unknown): unknown {
  // Concise arrow functions return whatever their last expression is: only what is a draft counts as one.
  const isDraft = returned !== undefined && schema.safeParse(returned).success
  return schema.parse(asJSON(isDraft ? returned : own))
}
