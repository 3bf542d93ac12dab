import type { ProviderError, ProviderErrorKind } from "../base/errors.ts"

/** How often a step asks its model, and for how long. Milliseconds. */
export interface RetryPolicy {
  /** Requests of one step to one model, the first included; at least 1. */
  readonly attempts: number
  /** From the step's first request to its last at most; 0: no limit. */
  readonly total: number
  /** Before the second attempt; twice as long before each one after that, and at most a minute. */
  readonly delay: number
}

export type RetrySettings = Partial<RetryPolicy>

export const defaultRetry: RetryPolicy = { attempts: 5, total: 600_000, delay: 1000 }

export type RetryDecision =
  | { readonly type: "retry"; readonly delay: number }
  /**
   * `reason` says why in words for people, where more than the error itself is to be said; `wait`: milliseconds after
   * which the server will answer again, where it has asked for more than is waited for.
   */
  | { readonly type: "give-up"; readonly reason?: string; readonly wait?: number }

const RETRYABLE: ReadonlySet<ProviderErrorKind> = new Set([
  "transient",
  "rate-limited",
  "incomplete-stream",
  "transport",
])
/** Milliseconds. */
export const LONGEST_DELAY = 60_000

/**
 * What was tried so far: how many attempts have failed, from 1, and the milliseconds since the step's first began. An
 * answer that broke off after its tools had run counts on in the next step, whose time begins anew.
 */
export interface Attempts {
  readonly failed: number
  readonly elapsed: number
}

/** Throws RangeError for what is no policy. */
export function retryPolicy(settings: RetrySettings = {}): RetryPolicy {
  const { attempts, total, delay } = { ...defaultRetry, ...settings }
  if (!(Number.isInteger(attempts) && attempts >= 1))
    throw new RangeError(`retry.attempts is ${attempts}: it must be a whole number, 1 or more.`)
  if (!(total >= 0)) throw new RangeError(`retry.total is ${total}: it must be 0 ms, for no limit, or more.`)
  if (!(delay >= 0)) throw new RangeError(`retry.delay is ${delay}: it must be 0 ms or more.`)
  return { attempts, total, delay }
}

/** `jitter`: 0 to 1. Delays in milliseconds, twice as long each time unless the server asks for one. */
export function retryDecision(
  error: ProviderError,
  { failed, elapsed }: Attempts,
  policy: RetryPolicy,
  jitter: number,
): RetryDecision {
  if (!RETRYABLE.has(error.kind)) return { type: "give-up" }
  const asked = error.details.retryAfter ?? 0
  if (asked > LONGEST_DELAY) {
    return { type: "give-up", reason: `The server asks to wait ${Math.ceil(asked / 1000)} s.`, wait: asked }
  }
  if (failed >= policy.attempts) return { type: "give-up", reason: `Gave up after ${attemptWords(policy.attempts)}.` }
  const own = Math.min(policy.delay * 2 ** (failed - 1) * (1 + jitter / 4), LONGEST_DELAY)
  const delay = asked > 0 ? asked : own
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
