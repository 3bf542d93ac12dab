import type { MessageID } from "../ids.ts"
import { LONGEST_TIMER } from "../deadlines.ts"
import type { MessageWithParts } from "./message.ts"

/** How much a run may take, with the runs of its subagents. Absent: no limit. */
export interface RunLimits {
  /** Requests that were answered. */
  readonly steps?: number
  /** US dollars. Checked before each request, so that the last one may lead beyond it. */
  readonly cost?: number
  /** Milliseconds from the prompt on; what is under way then is ended. */
  readonly deadline?: number
}

export type LimitReached =
  | { readonly type: "steps-spent"; readonly steps: number }
  | { readonly type: "cost-spent"; readonly cost: number; readonly limit: number }
  | { readonly type: "deadline-passed"; readonly elapsed: number; readonly deadline: number }

/** What a run has taken, and may take. */
export interface Budget {
  /** What keeps the next request from being made. */
  reached(): LimitReached | undefined
  /** A request was answered. */
  countStep(): void
  pay(cost: number): void
  /** Steps that are left, Infinity where there is no limit. */
  stepsLeft(): number
  readonly cost: number
  /** Aborts once the deadline has passed. */
  readonly signal: AbortSignal
  close(): void
}

/** `above`: of the run that this one works for, which pays for it as well. */
export function createBudget(limits: RunLimits, above?: Budget): Budget {
  const began = performance.now()
  const late = new AbortController()
  const { deadline } = limits
  const timer =
    deadline === undefined ? undefined : setTimeout(() => late.abort(), Math.min(Math.max(deadline, 0), LONGEST_TIMER))
  timer?.unref()
  let steps = 0
  let cost = 0

  function own(): LimitReached | undefined {
    const elapsed = performance.now() - began
    if (deadline !== undefined && (late.signal.aborted || elapsed >= deadline))
      return { type: "deadline-passed", elapsed: Math.round(elapsed), deadline }
    if (limits.cost !== undefined && cost >= limits.cost) return { type: "cost-spent", cost, limit: limits.cost }
    if (limits.steps !== undefined && steps >= limits.steps) return { type: "steps-spent", steps: limits.steps }
    return undefined
  }
  return {
    reached: () => own() ?? above?.reached(),
    countStep() {
      steps++
      above?.countStep()
    },
    pay(amount) {
      cost += amount
      above?.pay(amount)
    },
    stepsLeft: () => Math.min((limits.steps ?? Infinity) - steps, above?.stepsLeft() ?? Infinity),
    get cost() {
      return cost
    },
    signal: late.signal,
    close: () => clearTimeout(timer),
  }
}

/** Pays for each answer of a run once. */
export interface Payer {
  /** What an answer cost, as soon as that is known: its calls may take long, and may cost as well. */
  bill(id: MessageID, cost: number): void
  /** The answers that have come into the history. */
  see(messages: readonly MessageWithParts[]): void
}

/** `after`: the newest message before the run. */
export function createPayer(budget: Pick<Budget, "pay">, after: MessageID | undefined): Payer {
  const paid = new Set<MessageID>()
  function bill(id: MessageID, cost: number): void {
    if (!paid.has(id)) budget.pay(cost)
    paid.add(id)
  }
  return {
    bill,
    see(messages) {
      for (let at = messages.length - 1; at >= 0; at--) {
        const info = messages[at]?.info
        if (!info || (after !== undefined && info.id <= after)) break
        if (info.role === "assistant" && info.time.completed !== undefined) bill(info.id, info.cost)
      }
    },
  }
}
