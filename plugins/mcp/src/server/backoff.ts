const FIRST = 500
const LONGEST = 30_000

/** Milliseconds before the next attempt, after so many that failed. `random`: 0 to 1. */
export function reconnectDelay(failures: number, random: number): number {
  const delay = Math.min(LONGEST, FIRST * 2 ** Math.min(failures, 16))
  // Half of it by chance: clients of one server do not all come back at once.
  return Math.round(delay * (0.5 + random / 2))
}
