/** Maximum delay of a timer, in milliseconds. A longer timer would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Throws RangeError if the delay is invalid for a timer. `what` begins the message. */
export function checkWait(milliseconds: number, what: string): void {
  if (milliseconds >= 0 && milliseconds <= MAX_TIMER_MS) return
  throw new RangeError(`${what} needs 0 to ${MAX_TIMER_MS} milliseconds, got ${milliseconds}.`)
}

/** Throws RangeError if the count is invalid. `what` begins the message. */
export function checkCount(count: number, what: string): void {
  if (Number.isSafeInteger(count) && count >= 0) return
  throw new RangeError(`${what} needs a whole number of 0 or more, got ${count}.`)
}
