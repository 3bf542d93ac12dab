const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/** Returns the milliseconds before the next attempt. `random` is a number from 0 to 1. */
export function reconnectDelay(failures: number, random: number): number {
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 16))
  // Half of the delay is random, so that the clients of a server do not reconnect all at once.
  return Math.round(delay * (0.5 + random / 2))
}
