/** Calls `onLate` if there is no activity for a given time. */
export interface InactivityTimer {
  /** Restarts the timer. */
  touch(): void
  /** Pauses the timer, for example while a user is asked. The returned function ends the pause. */
  hold(): () => void
  end(): void
}

/** Node fires a timer with a longer delay immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** `milliseconds` of 0 disables the limit. */
export function createInactivityTimer(milliseconds: number, onLate: () => void): InactivityTimer {
  let timer: NodeJS.Timeout | undefined
  let holds = 0
  let isOver = milliseconds === 0
  const start = () => {
    clearTimeout(timer)
    if (isOver || holds > 0) return
    timer = setTimeout(onLate, Math.min(milliseconds, MAX_TIMER_MS))
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
