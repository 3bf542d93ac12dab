/** `missing`: pawl works without it, with less. */
export type CheckState = "good" | "missing" | "bad"

/** What was found, and what to do about it. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly name: string
  readonly state: CheckState
  /** What is there, or what is wrong, for people. */
  readonly says: string
  /** The next step; absent where there is none to take. */
  readonly advice?: string
}

/** Looks at one thing of the machine. */
export interface Check {
  readonly name: string
  readonly look: () => Promise<Omit<Finding, "name"> | readonly Finding[]>
}

/** The findings of all checks in their order. A check that fails is a finding, too: the others go on. */
export async function examine(checks: readonly Check[], mostMilliseconds: number): Promise<Finding[]> {
  const found = await Promise.all(checks.map((check) => lookAt(check, mostMilliseconds)))
  return found.flat()
}

async function lookAt({ name, look }: Check, most: number): Promise<readonly Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<Omit<Finding, "name">>()
  const timer = setTimeout(() => resolve({ state: "bad", says: `it did not answer within ${most / 1000} s` }), most)
  try {
    const found = await Promise.race([look(), late])
    return isList(found) ? found : [{ name, ...found }]
  } catch (error) {
    return [{ name, state: "bad", says: error instanceof Error ? error.message : String(error), ...adviceOf(error) }]
  } finally {
    clearTimeout(timer)
  }
}

function isList(found: Omit<Finding, "name"> | readonly Finding[]): found is readonly Finding[] {
  return Array.isArray(found)
}

/** Errors for people carry the next step with them. */
function adviceOf(error: unknown): { advice?: string } {
  const hint = error instanceof Error && "hint" in error ? error.hint : undefined
  return typeof hint === "string" && hint !== "" ? { advice: hint } : {}
}
