import { MAX_TIMER_MS } from "./deadlines.ts"

export interface Waiting {
  /** Heartbeat that keeps the caller's inactivity timeout from firing. */
  readonly alive: () => void
  /** Inactivity timeout of the caller in milliseconds; 0 = unlimited. */
  readonly inactivity: number
}

/** Runs work that has no heartbeat of its own and that something else ends if it takes too long. */
export async function whileAlive<T>({ alive, inactivity }: Waiting, work: () => Promise<T>): Promise<T> {
  const pause = Math.min(Math.max(1, inactivity / 4), MAX_TIMER_MS)
  const timer = inactivity > 0 ? setInterval(alive, pause) : undefined
  try {
    return await work()
  } finally {
    clearInterval(timer)
    alive()
  }
}
