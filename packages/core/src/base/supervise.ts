import { LONGEST_TIMER } from "./deadlines.ts"

export class InactivityError extends Error {
  override readonly name = "InactivityError"
}

export interface Supervision {
  readonly signal: AbortSignal
  /** Milliseconds without a sign of life; 0 = unlimited. */
  readonly inactivity: number
  /** Milliseconds that the work may go on after it was told to stop, before it is given up; 0 = unlimited. */
  readonly grace: number
}

/**
 * Runs work that can be stopped. It is stopped when the outer signal aborts, then rejecting with its reason, or when
 * `alive` was not called for too long, then rejecting with InactivityError. Work that does not heed its signal is
 * given up after a grace. Does not begin when the signal has aborted already.
 */
export async function supervise<T>(
  { signal, inactivity, grace }: Supervision,
  work: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const inner = new AbortController()
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>()
  let lastSign = performance.now()
  let watch: NodeJS.Timeout | undefined
  let patience: NodeJS.Timeout | undefined
  const stop = (reason: unknown) => {
    inner.abort(reason)
    if (grace > 0) patience ??= setTimeout(() => giveUp(reason as Error), Math.min(grace, LONGEST_TIMER))
  }
  const check = () => {
    const left = lastSign + inactivity - performance.now()
    if (left <= 0) stop(new InactivityError(`No progress for ${inactivity / 1000} s.`))
    else watch = setTimeout(check, Math.min(left, LONGEST_TIMER))
  }
  const onAbort = () => stop(signal.reason)
  signal.addEventListener("abort", onAbort, { once: true })
  if (inactivity > 0) check()
  try {
    const alive = () => {
      lastSign = performance.now()
    }
    return await Promise.race([(async () => work(inner.signal, alive))(), given])
  } catch (error) {
    throw inner.signal.aborted ? inner.signal.reason : error
  } finally {
    clearTimeout(watch)
    clearTimeout(patience)
    signal.removeEventListener("abort", onAbort)
  }
}
