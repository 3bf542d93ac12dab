export interface Claim {
  /** Tokens that it could use. */
  readonly wanted: number
  /** Part of the budget that it has whatever the others want. The shares of all claims add up to 1 or less. */
  readonly share: number
}

/** Divides a budget in tokens: each claim gets its share if it wants that much; what is left goes to the first that want more. */
export function allot(budget: number, claims: readonly Claim[]): number[] {
  const parts = claims.map(({ wanted, share }) => Math.min(wanted, Math.max(0, budget) * share))
  let left = Math.max(0, budget) - parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part, at) => {
    const more = Math.min(left, (claims[at]?.wanted ?? 0) - part)
    left -= more
    return part + more
  })
}
