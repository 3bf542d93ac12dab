/** Calls whose times are kept, for each hook. */
const WINDOW = 256

export interface CallCount {
  readonly count: number
  readonly failures: number
  /** Milliseconds that 95 of 100 calls took at most, of the newest 256. */
  readonly p95: number
}

/** How often the hooks of a plugin were called, and how long that took. Takes no more room the more calls there are. */
export interface CallCounts {
  add(hook: string, milliseconds: number, isFailure: boolean): void
  /** A call that was counted has turned out to be a failure. */
  fail(hook: string): void
  all(): Record<string, CallCount>
}

interface Counting {
  count: number
  failures: number
  readonly times: number[]
}

export function createCallCounts(): CallCounts {
  const hooks = new Map<string, Counting>()
  return {
    add(hook, milliseconds, isFailure) {
      const counting = hooks.get(hook) ?? { count: 0, failures: 0, times: [] }
      hooks.set(hook, counting)
      counting.times[counting.count % WINDOW] = milliseconds
      counting.count++
      if (isFailure) counting.failures++
    },
    fail(hook) {
      const counting = hooks.get(hook)
      if (counting) counting.failures++
    },
    all() {
      return Object.fromEntries(
        [...hooks].map(([hook, { count, failures, times }]) => [hook, { count, failures, p95: p95(times) }]),
      )
    },
  }
}

function p95(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0) * 1000) / 1000
}
