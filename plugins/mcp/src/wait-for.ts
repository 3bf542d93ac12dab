/**
 * Waits until the promise settles or the signal aborts; then it rejects with the signal's reason. Does not cancel the
 * work.
 */
export async function waitFor<T>(pending: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return pending
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop, { once: true })
  try {
    return await Promise.race([pending, stopped])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}
