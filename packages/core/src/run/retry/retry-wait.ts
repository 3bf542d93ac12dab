import { setTimeout as sleep } from "node:timers/promises"
import type { EventBus } from "../../contracts/events.ts"
import type { AttemptsBefore } from "./attempts.ts"
import type { RetryPart } from "../../record/message.ts"
import { MAX_DELAY_MS, type RetryPolicy } from "../../request/retry.ts"

export interface RetryWaitDeps {
  readonly store: { readonly bus: EventBus; readonly now: () => number }
  readonly models: { readonly retry: Pick<RetryPolicy, "attempts"> }
}

/**
 * Waits `delay` milliseconds for the next attempt, and publishes this as the session's status. Resolves with false as
 * soon as the signal aborts.
 */
export async function waitToRetry(
  { store: { bus }, models }: RetryWaitDeps,
  { sessionID, attempt, kind, error, next = 0 }: RetryPart,
  delay: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { message } = error.data
  const { attempts } = models.retry
  const status = { type: "retry", attempt, attempts, ...(kind === undefined ? {} : { kind }), message, next } as const
  bus.publish("session.status", { sessionID, status })
  await sleep(delay, undefined, { signal }).catch(() => undefined)
  if (signal.aborted) return false
  bus.publish("session.status", { sessionID, status: { type: "busy" } })
  return true
}

/** Waits for the rest of a wait that an earlier process or step has begun. */
export async function restOfWait(
  deps: RetryWaitDeps,
  { retry }: AttemptsBefore,
  signal: AbortSignal,
): Promise<boolean> {
  // Clocks of machines differ, so limit the wait.
  const left = Math.min((retry?.next ?? 0) - deps.store.now(), MAX_DELAY_MS)
  return retry && left > 0 ? waitToRetry(deps, retry, left, signal) : true
}
