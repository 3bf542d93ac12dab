import { MAX_TIMER_MS } from "./deadlines.ts"

export class InactivityError extends Error {
  override readonly name = "InactivityError"
}

export interface Supervision {
  readonly signal: AbortSignal
  /** Milliseconds without a heartbeat; 0 = unlimited. */
  readonly inactivity: number
  /** Milliseconds that the work may take to stop before it is abandoned; 0 = unlimited. */
  readonly grace: number
}

/**
 * Runs work that can be stopped. Stops it when the outer signal aborts, and rejects with its reason; or when `alive`
 * was not called for too long, and rejects with InactivityError. Abandons work that ignores its signal after `grace`.
 * Does not begin if the signal has aborted already.
 */
export async function supervise<T>(
  { signal, inactivity, grace }: Supervision,
  work: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const inner = new AbortController()
  const { promise: abandoned, reject: giveUp } = Promise.withResolvers<never>()
  let lastSign = performance.now()
  let watch: NodeJS.Timeout | undefined
  let graceTimer: NodeJS.Timeout | undefined
  const stop = (reason: unknown) => {
    inner.abort(reason)
    if (grace > 0) graceTimer ??= setTimeout(() => giveUp(reason as Error), Math.min(grace, MAX_TIMER_MS))
  }
  const check = () => {
    const left = lastSign + inactivity - performance.now()
    if (left <= 0) stop(new InactivityError(`No progress for ${inactivity / 1000} s.`))
    else watch = setTimeout(check, Math.min(left, MAX_TIMER_MS))
  }
  const onAbort = () => stop(signal.reason)
  signal.addEventListener("abort", onAbort, { once: true })
  if (inactivity > 0) check()
  try {
    const alive = () => {
      lastSign = performance.now()
    }
    return await Promise.race([(async () => work(inner.signal, alive))(), abandoned])
  } catch (error) {
    throw inner.signal.aborted ? inner.signal.reason : error
  } finally {
    clearTimeout(watch)
    clearTimeout(graceTimer)
    signal.removeEventListener("abort", onAbort)
  }
}
