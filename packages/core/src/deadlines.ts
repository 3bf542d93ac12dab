/** Milliseconds. No wait of the engine is without one; `0` switches one off. */
export interface Deadlines {
  /** From sending a request to the first event of its answer. */
  readonly firstEvent: number
  /** Between two events of an answer. */
  readonly idle: number
  /** Without progress of a tool. */
  readonly tool: number
  readonly guardHook: number
  readonly transformHook: number
  /** After which a session's owner that no longer renews has lost it. */
  readonly lease: number
}

export const defaultDeadlines: Deadlines = {
  firstEvent: 180_000,
  idle: 120_000,
  tool: 600_000,
  guardHook: 30_000,
  transformHook: 10_000,
  lease: 15_000,
}

/** Node fires timers that are longer at once. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** The promise's own outcome, or a rejection with what `late` makes once `ms` have passed. `0` waits for ever. */
export async function within<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  if (ms === 0) return promise
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), Math.min(ms, LONGEST_TIMER))
  })
  try {
    return await Promise.race([promise, expired])
  } finally {
    clearTimeout(timer)
  }
}
