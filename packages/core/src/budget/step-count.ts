import type { LimitReached } from "./limits.ts"

/** A step under way. */
export interface EnteredStep {
  readonly type: "entered"
  /** No step may follow. */
  readonly isLast: boolean
  /** Its request was answered: it counts, once, and what its calls hand to others does not wait for it. */
  answered(): void
  /** It is over. */
  leave(): void
}

/** Answers of a run, and those under way. */
export interface StepCount {
  reached(): LimitReached | undefined
  /** Whether no step may follow those under way, if each is answered. */
  isLastUnderWay(): boolean
  begin(): EnteredStep
  /** Resolves when one that was under way is over. */
  changed(): Promise<void>
}

/** `most` absent: no limit. */
export function createStepCount(most = Infinity): StepCount {
  let steps = 0
  let underWay = 0
  let change = Promise.withResolvers<void>()
  return {
    reached: () => (steps >= most ? { type: "steps-spent", steps: most } : undefined),
    isLastUnderWay: () => underWay > 0 && steps < most && steps + underWay >= most,
    changed: () => change.promise,
    begin() {
      let isOpen = true
      let isCounted = false
      underWay++
      const leave = () => {
        if (!isOpen) return
        isOpen = false
        underWay--
        change.resolve()
        change = Promise.withResolvers()
      }
      const answered = () => {
        if (!isCounted) steps++
        isCounted = true
        leave()
      }
      return { type: "entered", isLast: steps + underWay >= most, answered, leave }
    },
  }
}
