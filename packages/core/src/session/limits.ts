import type { MessageID } from "../ids.ts"
import { LONGEST_TIMER, unlessAborted } from "../deadlines.ts"
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
  /** What keeps the next request from being made; `unpaid`: US dollars that were spent and are to be paid yet. */
  reached(unpaid?: number): LimitReached | undefined
  /**
   * Begins a step, or tells which limit keeps it from being taken. Where those under way beside it may spend what is left
   * their answers are waited for, so that no more than one request leads beyond a limit. Rejects with the signal's reason.
   */
  enter(signal: AbortSignal): Promise<EnteredStep | LimitReached>
  pay(cost: number): void
  readonly cost: number
  /** Aborts once the deadline has passed. */
  readonly signal: AbortSignal
  close(): void
}

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

/** `above`: of the run that this one works for, which pays for it as well. Throws RangeError for what is no limit. */
export function createBudget(limits: RunLimits, above?: Budget): Budget {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== undefined && !(limit >= 0)) throw new RangeError(`limits.${name} is ${limit}: it must be 0 or more.`)
  }
  const began = performance.now()
  const late = new AbortController()
  const { deadline } = limits
  const timer =
    deadline === undefined ? undefined : setTimeout(() => late.abort(), Math.min(Math.max(deadline, 0), LONGEST_TIMER))
  timer?.unref()
  let steps = 0
  let cost = 0
  /** Requests that are not answered, and what one answer has cost at most. */
  let underWay = 0
  let dearest = 0
  let change = Promise.withResolvers<void>()

  function own(unpaid = 0): LimitReached | undefined {
    const elapsed = performance.now() - began
    if (deadline !== undefined && (late.signal.aborted || elapsed >= deadline))
      return { type: "deadline-passed", elapsed: Math.round(elapsed), deadline }
    const spent = cost + unpaid
    if (limits.cost !== undefined && spent >= limits.cost)
      return { type: "cost-spent", cost: spent, limit: limits.cost }
    if (limits.steps !== undefined && steps >= limits.steps) return { type: "steps-spent", steps: limits.steps }
    return undefined
  }
  function mayBeSpent(): boolean {
    if (underWay === 0) return false
    return steps + underWay >= (limits.steps ?? Infinity) || cost + underWay * dearest >= (limits.cost ?? Infinity)
  }
  function begin(): EnteredStep {
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
    return {
      type: "entered",
      isLast: steps + underWay === limits.steps,
      answered() {
        if (!isCounted) steps++
        isCounted = true
        leave()
      },
      leave,
    }
  }
  return {
    reached: (unpaid) => own(unpaid) ?? above?.reached(unpaid),
    async enter(signal) {
      while (!own() && mayBeSpent()) await unlessAborted(signal, change.promise)
      const reached = own()
      if (reached) return reached
      const inner = begin()
      const outer = await above?.enter(signal).catch((error: unknown) => {
        inner.leave()
        throw error
      })
      if (outer && outer.type !== "entered") {
        inner.leave()
        return outer
      }
      return {
        type: "entered",
        isLast: inner.isLast || outer?.isLast === true,
        answered() {
          inner.answered()
          outer?.answered()
        },
        leave() {
          inner.leave()
          outer?.leave()
        },
      }
    },
    pay(amount) {
      cost += amount
      dearest = Math.max(dearest, amount)
      above?.pay(amount)
    },
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
  /** Those that stand where they stood have not changed. */
  let seen: readonly MessageWithParts[] = []
  function bill(id: MessageID, cost: number): void {
    if (paid.has(id)) return
    paid.add(id)
    budget.pay(cost)
  }
  return {
    bill,
    see(messages) {
      for (let at = messages.length - 1; at >= 0 && messages[at] !== seen[at]; at--) {
        const info = messages[at]?.info
        if (!info || (after !== undefined && info.id <= after)) break
        if (info.role === "assistant" && info.time.completed !== undefined) bill(info.id, info.cost)
      }
      seen = messages
    },
  }
}
