/** How long work may go on after it was told to stop, before it is given up. */
const GRACE = 5_000

export class InactivityError extends Error {
  override readonly name = "InactivityError"
}

export interface Supervision {
  readonly signal: AbortSignal
  /** Milliseconds without a sign of life; 0 = unlimited. */
  readonly inactivity: number
}

/**
 * Runs work that can be stopped. It is stopped when the outer signal aborts, then rejecting with its reason, or when
 * `alive` was not called for too long, then rejecting with InactivityError. Work that does not heed its signal is
 * given up after a grace.
 */
export async function supervise<T>(
  { signal, inactivity }: Supervision,
  work: (signal: AbortSignal, alive: () => void) => Promise<T>,
): Promise<T> {
  const inner = new AbortController()
  let lastSign = performance.now()
  let watch: NodeJS.Timeout | undefined
  let grace: NodeJS.Timeout | undefined
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: unknown) => {
      inner.abort(reason)
      grace ??= setTimeout(() => reject(reason as Error), GRACE)
    }
    const onAbort = () => stop(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    if (inactivity > 0) watch = setTimeout(check, inactivity)

    function check() {
      const left = lastSign + inactivity - performance.now()
      if (left > 0) watch = setTimeout(check, left)
      else stop(new InactivityError(`No progress for ${inactivity / 1000} s.`))
    }
    const alive = () => {
      lastSign = performance.now()
    }
    work(inner.signal, alive)
      .then(resolve, (error: unknown) => reject(inner.signal.aborted ? (inner.signal.reason as Error) : error))
      .finally(() => {
        clearTimeout(watch)
        clearTimeout(grace)
        signal.removeEventListener("abort", onAbort)
      })
  })
}
