/** Factors by which the time of each try is longer than the first one. */
const FACTORS = [1, 5, 25, 125]

/**
 * Runs a check of short time limits. If it fails, runs it again with longer ones, because a busy machine may take longer
 * than a short limit for what must happen within it. A check of wrong behaviour fails with each. Rejects with the failure
 * of the last try. `firstMs`: the unit of the time limits in the first try.
 */
export async function withLongerLimits<T>(firstMs: number, check: (unitMs: number) => Promise<T>): Promise<T> {
  let failure: unknown
  for (const factor of FACTORS) {
    try {
      return await check(firstMs * factor)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
