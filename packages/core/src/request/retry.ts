import type { ProviderError, ProviderErrorKind } from "../base/errors.ts"

/** Limits the attempts of a step. Times are in milliseconds. */
export interface RetryPolicy {
  /** Maximum requests of a step to a model, including the first; at least 1. */
  readonly attempts: number
  /** Maximum time from the step's first request to its last. 0: no limit. */
  readonly total: number
  /** Delay before the second attempt. Doubles before each further attempt, up to a minute. */
  readonly delay: number
}

export type RetrySettings = Partial<RetryPolicy>

export const defaultRetry: RetryPolicy = { attempts: 5, total: 600_000, delay: 1000 }

export type RetryDecision =
  | { readonly type: "retry"; readonly delay: number }
  /**
   * `reason`: a sentence for users, in addition to the error. `wait`: milliseconds until the server will answer again,
   * if it asked for a longer delay than the maximum.
   */
  | { readonly type: "give-up"; readonly reason?: string; readonly wait?: number }

const RETRYABLE: ReadonlySet<ProviderErrorKind> = new Set([
  "transient",
  "rate-limited",
  "incomplete-stream",
  "transport",
])
export const MAX_DELAY_MS = 60_000

/**
 * Attempts of a step so far: the number of failed attempts, from 1, and the milliseconds since the first began. After
 * an incomplete answer whose tools have run, the next step continues the count, but its time begins again.
 */
export interface Attempts {
  readonly failed: number
  readonly elapsed: number
}

/** Returns the policy. Throws RangeError for invalid settings. */
export function retryPolicy(settings: RetrySettings = {}): RetryPolicy {
  const { attempts, total, delay } = { ...defaultRetry, ...settings }
  if (!(Number.isInteger(attempts) && attempts >= 1))
    throw new RangeError(`retry.attempts is ${attempts}: it must be a whole number, 1 or more.`)
  if (!(total >= 0)) throw new RangeError(`retry.total is ${total}: it must be 0 ms, for no limit, or more.`)
  if (!(delay >= 0)) throw new RangeError(`retry.delay is ${delay}: it must be 0 ms or more.`)
  return { attempts, total, delay }
}

/** Decides what follows a failed attempt. `jitter`: 0 to 1. Delays double each time, unless the server asks for one. */
export function retryDecision(
  error: ProviderError,
  { failed, elapsed }: Attempts,
  policy: RetryPolicy,
  jitter: number,
): RetryDecision {
  if (!RETRYABLE.has(error.kind)) return { type: "give-up" }
  const retryAfter = error.details.retryAfter ?? 0
  if (retryAfter > MAX_DELAY_MS) {
    return { type: "give-up", reason: `The server asks to wait ${Math.ceil(retryAfter / 1000)} s.`, wait: retryAfter }
  }
  if (failed >= policy.attempts) return { type: "give-up", reason: `Gave up after ${attemptWords(policy.attempts)}.` }
  const own = Math.min(policy.delay * 2 ** (failed - 1) * (1 + jitter / 4), MAX_DELAY_MS)
  const delay = retryAfter > 0 ? retryAfter : own
  if (policy.total > 0 && elapsed + delay > policy.total) {
    return { type: "give-up", reason: `Gave up after ${timeWords(policy.total)}.` }
  }
  return { type: "retry", delay }
}

function attemptWords(count: number): string {
  return count === 1 ? "1 attempt" : `${count} attempts`
}

function timeWords(milliseconds: number): string {
  return milliseconds % 60_000 === 0 ? `${milliseconds / 60_000} minutes` : `${milliseconds / 1000} s`
}
