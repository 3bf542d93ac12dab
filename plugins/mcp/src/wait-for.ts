/** The signal ends the waiting alone: then this rejects with its reason. */
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
