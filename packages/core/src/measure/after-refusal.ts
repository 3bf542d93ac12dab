/** A request that its provider refused as too long. Tokens are estimates of the engine unless said otherwise. */
export interface RefusedRequest {
  readonly expected: number
  /** That the model's window allows, Infinity if the window is unknown. */
  readonly usable: number
  /** Kept free of input. */
  readonly reserve: number
  /** The largest request of the conversation that the provider has accepted, 0 if there is none. */
  readonly accepted: number
  /** As the provider counts, from the words of the refusal. */
  readonly limit?: number | undefined
  readonly requested?: number | undefined
}

/** The reserve never takes more of a limit that a refusal names. */
const MOST_RESERVED_SHARE = 0.2

/**
 * Estimated tokens that the next request may have. A refusal that names both numbers also says how far the estimate is
 * off. Never more than the window allows, and never less than what was accepted before.
 */
export function usableAfterRefusal(request: RefusedRequest): number {
  const { expected, usable, accepted } = request
  return Math.floor(Math.min(usable, Math.max(accepted, Math.min(expected, named(request)))))
}

/** Infinity if the refusal names no limit. */
function named({ limit, requested, reserve, expected }: RefusedRequest): number {
  if (limit === undefined || !(limit > 0)) return Infinity
  const room = limit - Math.min(reserve, limit * MOST_RESERVED_SHARE)
  return requested !== undefined && requested > limit ? room * (expected / requested) : room
}
