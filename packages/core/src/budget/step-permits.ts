import type { LimitReached } from "./limits.ts"

/** A running step. */
export interface StepPermit {
  readonly type: "entered"
  /** True if no step may follow. */
  readonly isLast: boolean
  /** Counts the step, once, because its request was answered. Work that its calls delegate does not wait for it. */
  answered(): void
  /** Ends the step. */
  leave(): void
}

/** Counts the answers of a run, and its running steps. */
export interface StepPermits {
  reached(): LimitReached | undefined
  /** Returns whether no step may follow the running ones if each is answered. */
  isLastUnderWay(): boolean
  begin(): StepPermit
  /** Resolves when a running step ends. */
  changed(): Promise<void>
}

/** Creates a counter. `most`: maximum number of steps. Default: no limit. */
export function createStepPermits(most = Infinity): StepPermits {
  let steps = 0
  let running = 0
  let change = Promise.withResolvers<void>()
  return {
    reached: () => (steps >= most ? { type: "steps-spent", steps: most } : undefined),
    isLastUnderWay: () => running > 0 && steps < most && steps + running >= most,
    changed: () => change.promise,
    begin() {
      let isOpen = true
      let isCounted = false
      running++
      const leave = () => {
        if (!isOpen) return
        isOpen = false
        running--
        change.resolve()
        change = Promise.withResolvers()
      }
      const answered = () => {
        if (!isCounted) steps++
        isCounted = true
        leave()
      }
      return { type: "entered", isLast: steps + running >= most, answered, leave }
    },
  }
}
