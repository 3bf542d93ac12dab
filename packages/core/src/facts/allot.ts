export interface Claim {
  /** Tokens that the claim can use. */
  readonly wanted: number
  /** Guaranteed share of the budget. The shares of all claims add up to 1 or less. */
  readonly share: number
}

/**
 * Divides a budget in tokens: each claim gets its share if it wants that much. The first claims that want more get the
 * rest.
 */
export function allot(budget: number, claims: readonly Claim[]): number[] {
  const parts = claims.map(({ wanted, share }) => Math.min(wanted, Math.max(0, budget) * share))
  let left = Math.max(0, budget) - parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part, at) => {
    const more = Math.min(left, (claims[at]?.wanted ?? 0) - part)
    left -= more
    return part + more
  })
}
