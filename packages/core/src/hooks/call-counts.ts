/** Number of calls of each hook whose times are kept. */
const MAX_TIMES = 256

export interface CallCount {
  readonly count: number
  readonly failures: number
  /** 95th percentile of the newest 256 calls in milliseconds. */
  readonly p95: number
}

/** Counts and times the calls of a plugin's hooks, in constant memory. */
export interface CallCounts {
  add(hook: string, milliseconds: number, isFailure: boolean): void
  /** Marks a counted call as a failure. */
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
      counting.times[counting.count % MAX_TIMES] = milliseconds
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
