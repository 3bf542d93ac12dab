import { LONGEST_TIMER } from "./deadlines.ts"

export interface Waiting {
  /** Keeps those who watch from giving up. */
  readonly alive: () => void
  /** Milliseconds that they wait for a sign of life; 0: for ever. */
  readonly inactivity: number
}

/** For work that has no signs of life of its own, and that something else ends should it take too long. */
export async function whileAlive<T>({ alive, inactivity }: Waiting, work: () => Promise<T>): Promise<T> {
  const pause = Math.min(Math.max(1, inactivity / 4), LONGEST_TIMER)
  const timer = inactivity > 0 ? setInterval(alive, pause) : undefined
  try {
    return await work()
  } finally {
    clearInterval(timer)
    alive()
  }
}
