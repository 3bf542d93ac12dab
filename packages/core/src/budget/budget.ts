import { MAX_TIMER_MS, unlessAborted } from "../base/deadlines.ts"
import type { MessageID } from "../base/ids.ts"
import type { ModelInfo } from "../contracts/model.ts"
import type { Estimate } from "../usage/estimate.ts"
import { createLedger, type Ledger } from "./ledger.ts"
import {
  checkLimits,
  hasLimit,
  type LimitReached,
  type Limits,
  type LimitScope,
  shouldWait,
  refusal,
  type RunLimits,
} from "./limits.ts"
import { nothingSpent, type Spent } from "../record/spent.ts"
import { type Waiting, whileAlive } from "../base/while-alive.ts"
import { createStepPermits, type StepPermit } from "./step-permits.ts"

/** A limit, and the usage that counts towards it. */
export interface UsageScope {
  readonly scope: LimitScope
  readonly limits: Limits
  readonly ledger: () => Ledger
  /** Adds the usage of other runs since. Before the first call the ledger may be empty. */
  readonly ready?: () => Promise<void>
  /** Records usage. `messageID`: the message that the request was made for. */
  readonly pay: (messageID: MessageID, spent: Spent) => void
  readonly close?: () => void
}

/** The usage and the limits of a run. */
export interface Budget {
  /** False if no limit applies, so usage need not be known. */
  readonly isLimited: boolean
  /** Returns the limit that prevents the next request, if any. */
  reached(): LimitReached | undefined
  /**
   * Takes a step, or returns the limit that prevents it. If running steps may be the last ones, waits for their
   * answers. Rejects with the signal's reason.
   */
  enter(signal: AbortSignal): Promise<StepPermit | LimitReached>
  /**
   * Like `enter`, for each request. If running requests may use up the rest, waits for them, so that at most one
   * request exceeds a limit. Calls `estimate` only if a limit applies.
   */
  ask(estimate: () => Estimate, signal: AbortSignal): Promise<Reservation | LimitReached>
  /** Records that the run's usage is also stored with this message, as usage of its own. */
  recordUsage(message: MessageID): void
  /** Begins a step with its own limits; the returned function ends it. Steps of a run follow each other. */
  beginStep(): () => void
  /** Returns, once for each model, whether limits of costs cannot apply because the model's prices are unknown. */
  isUnpriced(model: Pick<ModelInfo, "id" | "cost">): boolean
  /** Returns all limits that apply now, also to the work of subagents. */
  scopes(): readonly UsageScope[]
  /** Limits of each step. */
  readonly step: Limits | undefined
  /** Aborts once the time limit is reached. */
  readonly signal: AbortSignal
  close(): void
}

/** A running request. */
export interface Reservation {
  readonly type: "reserved"
  /** Records its usage: at most once, before `release`. */
  pay(messageID: MessageID, spent: Spent): void
  /** Ends the reservation, so that other requests stop waiting. */
  release(): void
}

export interface BudgetOptions {
  /** Budget of the parent run, whose limits also apply. */
  readonly above?: Budget | undefined
  /** Limits that the run shares with others. */
  readonly shared?: readonly UsageScope[]
}

/** Creates a budget. Throws RangeError if a limit is negative or not a number. */
export function createBudget(limits: RunLimits, options: BudgetOptions = {}): Budget {
  checkLimits(limits)
  const { shared = [] } = options
  const above = options.above?.isLimited ? options.above : undefined
  if (!above && shared.length === 0 && !hasLimit(limits)) return createUnlimited()
  const late = new AbortController()
  const timers = new Map<UsageScope, NodeJS.Timeout>()
  const { steps: mostSteps, deadline, tokens, cost, requests, step = above?.step } = limits
  const own = withoutUndefined({ tokens, cost, requests, time: deadline })
  const run = Object.keys(own).length > 0 ? [createScope("run", own)] : []
  const lasting = [...run, ...shared, ...(above?.scopes() ?? [])]
  const steps = createStepPermits(mostSteps)
  const unpriced = new Set<string>()
  let current: UsageScope | undefined
  let overdue: LimitReached | undefined

  const scopes = () => (current ? [current, ...lasting] : lasting)
  /**
   * Aborts when the time is over. Checks again after the remaining time, because other runs may use up the time
   * meanwhile.
   */
  function watch(watched: UsageScope): void {
    const { time } = watched.limits
    if (time === undefined || timers.has(watched)) return
    const look = () => {
      const left = time - watched.ledger().time()
      if (left <= 0) {
        overdue = refusal(watched.scope, { time }, watched.ledger())
        return late.abort()
      }
      timers.set(watched, setTimeout(look, Math.min(Math.max(1, left), MAX_TIMER_MS)).unref())
    }
    look()
  }
  async function ready(signal: AbortSignal): Promise<void> {
    for (const each of scopes()) {
      if (each.ready) await unlessAborted(signal, each.ready())
    }
    for (const each of shared) watch(each)
  }
  function reached(next?: Estimate): LimitReached | undefined {
    if (overdue) return overdue
    for (const { scope, limits: own, ledger } of scopes()) {
      const end = refusal(scope, own, ledger(), next)
      if (end) return end
    }
    return undefined
  }
  for (const each of run) {
    each.ledger().begin()
    watch(each)
  }
  return {
    isLimited: true,
    reached: () => reached() ?? steps.reached() ?? above?.reached(),
    scopes,
    step,
    signal: late.signal,
    async enter(signal) {
      await ready(signal)
      while (!reached() && steps.isLastUnderWay()) await unlessAborted(signal, steps.changed())
      const end = reached() ?? steps.reached()
      if (end) return end
      const inner = steps.begin()
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
    async ask(estimated, signal) {
      const estimate = estimated()
      for (;;) {
        await ready(signal)
        signal.throwIfAborted()
        const end = reached(estimate)
        if (end) return end
        const busy = scopes().filter(({ limits: own, ledger }) => shouldWait(own, ledger(), estimate))
        if (busy.length === 0) return reserve(scopes(), estimate)
        await unlessAborted(signal, Promise.race(busy.map(({ ledger }) => ledger().changed())))
      }
    },
    recordUsage(message) {
      for (const each of scopes()) each.pay(message, nothingSpent)
    },
    beginStep() {
      if (!step) return () => undefined
      const own = createScope("step", step)
      const end = own.ledger().begin()
      current = own
      watch(own)
      return () => {
        end()
        clearTimeout(timers.get(own))
        timers.delete(own)
        if (current === own) current = undefined
      }
    },
    isUnpriced({ id, cost: { tiers = [], ...price } }) {
      const isLimited = scopes().some((each) => each.limits.cost !== undefined)
      const isPriced = [price, ...tiers].some((each) => Object.values(each).some((amount) => amount > 0))
      if (!isLimited || isPriced || unpriced.has(id)) return false
      unpriced.add(id)
      return true
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      for (const each of shared) each.close?.()
    },
  }
}

/** Returns the same budget, whose waits signal progress: they may take as long as a request of another session. */
export function withHeartbeat(budget: Budget, waiting: Waiting): Budget {
  if (!budget.isLimited) return budget
  return {
    ...budget,
    enter: (signal) => whileAlive(waiting, () => budget.enter(signal)),
    ask: (estimate, signal) => whileAlive(waiting, () => budget.ask(estimate, signal)),
  }
}

const nothing = () => undefined
const permit: StepPermit = { type: "entered", isLast: false, answered: nothing, leave: nothing }
const unreserved: Reservation = { type: "reserved", pay: nothing, release: nothing }

/** Creates the budget of a run without limits. It permits every step and request, and reads and sums no usage. */
function createUnlimited(): Budget {
  const { signal } = new AbortController()
  return {
    isLimited: false,
    reached: nothing,
    enter: () => Promise.resolve(permit),
    async ask(_estimate, waiting) {
      waiting.throwIfAborted()
      return unreserved
    },
    recordUsage: nothing,
    beginStep: () => nothing,
    isUnpriced: () => false,
    scopes: () => [],
    step: undefined,
    signal,
    close: nothing,
  }
}

function createScope(scope: LimitScope, limits: Limits): UsageScope {
  const ledger = createLedger()
  return { scope, limits, ledger: () => ledger, pay: (_messageID, spent) => ledger.pay(spent) }
}

function reserve(scopes: readonly UsageScope[], estimate: Estimate): Reservation {
  const releases = scopes.map(({ ledger }) => ledger().reserve(estimate))
  return {
    type: "reserved",
    pay(messageID, spent) {
      for (const each of scopes) each.pay(messageID, spent)
    },
    release() {
      for (const release of releases) release()
    },
  }
}

function withoutUndefined(limits: { readonly [K in keyof Limits]: Limits[K] | undefined }): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined)) as Limits
}
