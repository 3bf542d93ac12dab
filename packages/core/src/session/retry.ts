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
const FIRST_DELAY = 500
const LONGEST_DELAY = 30_000
const LONGEST_SERVER_DELAY = 60_000

/** `attempt`: how many have failed, from 1. `jitter`: 0 to 1. Delays in milliseconds. */
export function retryDecision(error: ProviderError, attempt: number, jitter: number): RetryDecision {
  if (!RETRYABLE.has(error.kind)) return { type: "give-up" }
  const asked = error.details.retryAfter
  if (asked !== undefined && asked > LONGEST_SERVER_DELAY) {
    return {
      type: "give-up",
      reason: `The server asks to wait ${Math.ceil(asked / 1000)} s. Continue the session after that.`,
    }
  }
  if (attempt >= ATTEMPTS) return { type: "give-up", reason: `Gave up after ${ATTEMPTS} attempts.` }
  if (asked !== undefined) return { type: "retry", delay: asked }
  return { type: "retry", delay: Math.min(FIRST_DELAY * 2 ** (attempt - 1) * (1 + jitter / 4), LONGEST_DELAY) }
}
