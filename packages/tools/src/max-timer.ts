/** Node fires a timer with a longer delay immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1
