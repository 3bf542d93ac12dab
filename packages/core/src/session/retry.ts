import type { ProviderError, ProviderErrorKind } from "../errors.ts"

export type RetryDecision =
  | { readonly type: "retry"; readonly delay: number }
  /** `reason` says why in words for people, where more than the error itself is to be said. */
  | { readonly type: "give-up"; readonly reason?: string }

const RETRYABLE: ReadonlySet<ProviderErrorKind> = new Set([
  "transient",
  "rate-limited",
  "incomplete-stream",
  "transport",
])
const ATTEMPTS = 5
const TOTAL = 600_000
const FIRST_DELAY = 1000
const LONGEST_SERVER_DELAY = 60_000

/**
 * What was tried so far: how many attempts have failed, from 1, and the milliseconds since the step's first began.
 * An answer that broke off after its tools had run counts on in the next step, whose time begins anew.
 */
export interface Attempts {
  readonly failed: number
  readonly elapsed: number
}

/** `jitter`: 0 to 1. Delays in milliseconds, twice as long each time unless the server asks for one. */
export function retryDecision(error: ProviderError, { failed, elapsed }: Attempts, jitter: number): RetryDecision {
  if (!RETRYABLE.has(error.kind)) return { type: "give-up" }
  const asked = error.details.retryAfter ?? 0
  if (asked > LONGEST_SERVER_DELAY) {
    return {
      type: "give-up",
      reason: `The server asks to wait ${Math.ceil(asked / 1000)} s. Continue the session after that.`,
    }
  }
  if (failed >= ATTEMPTS) return { type: "give-up", reason: `Gave up after ${ATTEMPTS} attempts.` }
  const delay = asked > 0 ? asked : FIRST_DELAY * 2 ** (failed - 1) * (1 + jitter / 4)
  if (elapsed + delay > TOTAL) return { type: "give-up", reason: `Gave up after ${TOTAL / 60_000} minutes.` }
  return { type: "retry", delay }
}
