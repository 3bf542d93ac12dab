/** Ends waiting when nothing was heard for too long. */
export interface Patience {
  /** Something was heard. */
  touch(): void
  /** Waiting for a person does not count. Give back what was taken. */
  hold(): () => void
  end(): void
}

/** The longest that a timer can be set to, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1

/** `milliseconds` 0: for ever. */
export function createPatience(milliseconds: number, onLate: () => void): Patience {
  let timer: NodeJS.Timeout | undefined
  let holds = 0
  let isOver = milliseconds === 0
  const start = () => {
    clearTimeout(timer)
    if (isOver || holds > 0) return
    timer = setTimeout(onLate, Math.min(milliseconds, LONGEST_TIMER))
  }
  start()
  return {
    touch: start,
    hold() {
      holds++
      clearTimeout(timer)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        holds--
        start()
      }
    },
    end() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
