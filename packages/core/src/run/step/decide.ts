import { ProviderError, RepetitionError } from "../../base/errors.ts"
import type { Write } from "../../contracts/storage.ts"
import { type RetryDecision, retryDecision, type RetryPolicy } from "../../request/retry.ts"

/** Facts about a failed attempt that the decision needs. */
export interface Failure {
  readonly error: unknown
  /** Set if calls were made; they are settled. */
  readonly called: boolean
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Milliseconds since the step's first attempt began. */
  readonly elapsed: number
  /** Keep the files that the provider refused out of the next request; empty if the failure is not about files. */
  readonly quarantine: readonly Write[]
}

export type FailureDecision =
  | { readonly type: "quarantine"; readonly writes: readonly Write[] }
  /** The provider refused the request because it does not fit. */
  | { readonly type: "make-room"; readonly refusal: ProviderError }
  /** The model repeats itself. Its answer ends here, and a reminder follows. */
  | { readonly type: "nudge"; readonly text: string }
  | RetryDecision

/** Decides what follows a failed attempt. `jitter`: 0 to 1. */
export function decideAfterFailure(failure: Failure, policy: RetryPolicy, jitter: number): FailureDecision {
  const { error, called, attempt, elapsed, quarantine } = failure
  if (error instanceof RepetitionError && error.response === "nudge") return { type: "nudge", text: error.message }
  if (!(error instanceof ProviderError)) return { type: "give-up" }
  if (!called && quarantine.length > 0) return { type: "quarantine", writes: quarantine }
  if (!called && error.kind === "overflow") return { type: "make-room", refusal: error }
  return retryDecision(error, { failed: attempt, elapsed }, policy, jitter)
}
