import { MAX_TIMER_MS, pause } from "./pause.ts"

/** The speed of a model's output. 0 characters a second: no delay. Never negative or infinite. */
export interface Pace {
  readonly charactersPerSecond: number
}

/** Throws RangeError for an invalid speed. */
export function checkPace(pace: Pace): Pace {
  const { charactersPerSecond } = pace
  if (charactersPerSecond >= 0 && Number.isFinite(charactersPerSecond)) return pace
  throw new RangeError(`pace.charactersPerSecond must be a finite number, 0 or more, got ${charactersPerSecond}.`)
}

/**
 * Waits until the given number of further characters is due. Measures from the time of creation, not from the previous
 * call, so that late timers do not add up. Returns `undefined` if there is nothing to wait for.
 */
export function createMetronome({ charactersPerSecond }: Pace, signal: AbortSignal) {
  if (charactersPerSecond <= 0) return undefined
  const start = performance.now()
  let due = start
  return async (characters: number): Promise<void> => {
    due += (characters / charactersPerSecond) * 1000
    const delay = due - performance.now()
    if (delay >= 1) await pause(Math.min(delay, MAX_TIMER_MS), signal)
  }
}
