/** `missing`: an optional dependency, without which pawl can do less. */
export type CheckState = "good" | "missing" | "bad"

/** The result of a check, with the next step. */
export interface Finding {
  /** Subject of the check, in a word or two. */
  readonly name: string
  readonly state: CheckState
  /** The state or the problem, for the user. */
  readonly says: string
  /** The next step, if there is one. */
  readonly advice?: string
}

/** Checks one part of the installation. */
export interface Check {
  readonly name: string
  readonly look: () => Promise<Omit<Finding, "name"> | readonly Finding[]>
}

/**
 * Runs all checks and returns their findings in order. A failing check becomes a finding and does not stop the others.
 */
export async function examine(checks: readonly Check[], timeoutMs: number): Promise<Finding[]> {
  const found = await Promise.all(checks.map((check) => lookAt(check, timeoutMs)))
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

/** Errors for the user contain the next step. */
function adviceOf(error: unknown): { advice?: string } {
  const hint = error instanceof Error && "hint" in error ? error.hint : undefined
  return typeof hint === "string" && hint !== "" ? { advice: hint } : {}
}
