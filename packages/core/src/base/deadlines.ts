/** All in milliseconds. `0` switches a deadline off, except for the lease. */
export interface Deadlines {
  /** Silence on the wire between the request and the first event of its answer. */
  readonly firstEvent: number
  /** Silence on the wire between two events of an answer. Keep-alives count as events if the provider reports them. */
  readonly idle: number
  /** Time between two events of an answer; keep-alives do not count. Never shorter than the allowed silence. */
  readonly events: number
  /** Silence of a model after which users are notified that the engine is waiting for it. */
  readonly waiting: number
  /** Time without progress of a tool. */
  readonly tool: number
  /** Time without a heartbeat of a subagent. */
  readonly subagent: number
  /** Time that a tool or a subagent has to end after it was told to stop; then it is abandoned. */
  readonly abort: number
  /** Time that a question to the user may stay unanswered; then the call is refused. */
  readonly question: number
  /** Time for scaling an image down; then the image is left out. */
  readonly image: number
  readonly guardHook: number
  readonly transformHook: number
  /** Time after which a session's owner that no longer renews its lease has lost it. */
  readonly lease: number
}

export const defaultDeadlines: Deadlines = {
  firstEvent: 180_000,
  idle: 120_000,
  events: 300_000,
  waiting: 10_000,
  tool: 600_000,
  subagent: 900_000,
  abort: 5_000,
  question: 3_600_000,
  image: 30_000,
  guardHook: 30_000,
  transformHook: 10_000,
  lease: 15_000,
}

/** Node fires a timer with a longer delay immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Settles like the promise. Rejects with the error of `late` once `ms` have passed (0: never), or with the signal's
 * reason once it aborts.
 */
export async function within<T>(ms: number, promise: Promise<T>, late: () => Error, signal?: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal?.reason as Error)
  const timer = ms > 0 ? setTimeout(() => reject(late()), Math.min(ms, MAX_TIMER_MS)) : undefined
  signal?.addEventListener("abort", onAbort, { once: true })
  if (signal?.aborted) onAbort()
  try {
    return await Promise.race([promise, ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
}

/** Settles like the promise, or rejects with the signal's reason once it aborts. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return within(0, promise, () => new Error("There is no deadline."), signal)
}

/** Returns a signal that aborts `ms` after another one, for the work of an orderly end. `end` frees the timer. */
export function graceAfter(signal: AbortSignal, ms: number): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => controller.abort(signal.reason), ms)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener("abort", onAbort, { once: true })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      signal.removeEventListener("abort", onAbort)
    },
  }
}
