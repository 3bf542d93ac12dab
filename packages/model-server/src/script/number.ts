/** In milliseconds. Timers count no further: a longer one fires at once. */
export const longestWait = 2 ** 31 - 1

/** Throws RangeError when a timer cannot wait that many milliseconds. `what` begins the message. */
export function checkWait(milliseconds: number, what: string): void {
  if (milliseconds >= 0 && milliseconds <= longestWait) return
  throw new RangeError(`${what} needs 0 to ${longestWait} milliseconds, got ${milliseconds}.`)
}

/** Throws RangeError for what cannot be a number of things. `what` begins the message. */
export function checkCount(count: number, what: string): void {
  if (Number.isSafeInteger(count) && count >= 0) return
  throw new RangeError(`${what} needs a whole number of 0 or more, got ${count}.`)
}
