/** Milliseconds. `0` switches one off, but for the lease. */
export interface Deadlines {
  /** Silence on the wire from sending a request to the first event of its answer. */
  readonly firstEvent: number
  /** Silence on the wire between two events of an answer. Keep-alives end it, if the provider reports them. */
  readonly idle: number
  /** Between two events of an answer, whatever else comes. Never shorter than the silence that is allowed. */
  readonly events: number
  /** Silence of a model after which users are told what is being waited for. */
  readonly waiting: number
  /** Without progress of a tool. */
  readonly tool: number
  /** Without a sign of life of a subagent. */
  readonly subagent: number
  /** For a tool or a subagent to end once it was told to; then it is given up. */
  readonly abort: number
  /** A question to a person that stays unanswered; then the call is refused. */
  readonly question: number
  /** Drawing an image smaller; then it is left out. */
  readonly image: number
  readonly guardHook: number
  readonly transformHook: number
  /** After which a session's owner that no longer renews has lost it. */
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

/** Node fires timers that are longer at once. */
export const LONGEST_TIMER = 2 ** 31 - 1

/**
 * The promise's own outcome, or a rejection: with what `late` makes once `ms` have passed, `0` being never, or with the
 * signal's reason once it aborts.
 */
export async function within<T>(ms: number, promise: Promise<T>, late: () => Error, signal?: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal?.reason as Error)
  const timer = ms > 0 ? setTimeout(() => reject(late()), Math.min(ms, LONGEST_TIMER)) : undefined
  signal?.addEventListener("abort", onAbort, { once: true })
  if (signal?.aborted) onAbort()
  try {
    return await Promise.race([promise, ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", onAbort)
  }
}

/** The promise's own outcome, or a rejection with the signal's reason once it aborts. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return within(0, promise, () => new Error("There is no deadline."), signal)
}

/** A signal that aborts a while after another one, for what belongs to an orderly end. `end` frees the timer. */
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
