import { longestWait, pause } from "./pause.ts"

/** How fast a model talks. 0 characters a second: at once. Never negative, never infinite. */
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
 * Waits until so many more characters are due. Counts from its creation and not from the last call, so that late timers
 * do not add up. `undefined` when there is nothing to wait for.
 */
export function createMetronome({ charactersPerSecond }: Pace, signal: AbortSignal) {
  if (charactersPerSecond <= 0) return undefined
  const start = performance.now()
  let due = start
  return async (characters: number): Promise<void> => {
    due += (characters / charactersPerSecond) * 1000
    const delay = due - performance.now()
    if (delay >= 1) await pause(Math.min(delay, longestWait), signal)
  }
}
