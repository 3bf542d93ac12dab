/** A request that its provider refused as too long. Tokens are the engine's estimates unless stated otherwise. */
export interface RefusedRequest {
  readonly expected: number
  /** Tokens that the model's window allows; Infinity if the window is unknown. */
  readonly usable: number
  /** Tokens kept free of input. */
  readonly reserve: number
  /** The largest request of the conversation that the provider has accepted; 0 if it has accepted no request. */
  readonly accepted: number
  /** Tokens as the provider counts them, from the message of the refusal. */
  readonly limit?: number | undefined
  readonly requested?: number | undefined
}

/** Maximum share of the reserve in a limit that a refusal names. */
const MAX_RESERVED_SHARE = 0.2

/**
 * Returns the estimated tokens that the next request may have. A refusal with both numbers also shows the error of the
 * estimate. Never more than the window allows, and never less than what was accepted before.
 */
export function usableAfterRefusal(request: RefusedRequest): number {
  const { expected, usable, accepted } = request
  return Math.floor(Math.min(usable, Math.max(accepted, Math.min(expected, named(request)))))
}

/** Returns the limit from the refusal; Infinity if it names no limit. */
function named({ limit, requested, reserve, expected }: RefusedRequest): number {
  if (limit === undefined || !(limit > 0)) return Infinity
  const room = limit - Math.min(reserve, limit * MAX_RESERVED_SHARE)
  return requested !== undefined && requested > limit ? room * (expected / requested) : room
}
