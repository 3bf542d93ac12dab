import type { Estimate } from "../usage/estimate.ts"
import { allTokens, type Spent } from "../record/spent.ts"

/** Usage under a limit, including running requests. Runs that share a ledger see each other's usage. */
export interface Ledger {
  readonly tokens: number
  /** US dollars. */
  readonly cost: number
  /** Number of requests, including running ones. */
  readonly requests: number
  /** Milliseconds of work so far. */
  time(): number
  /** Maximum usage of the running requests. */
  readonly most: Estimate["most"]
  readonly isBusy: boolean
  /** Reserves a running request until the returned function is called. */
  reserve(estimate: Estimate): () => void
  /** Records usage. Its requests were already reserved, or made elsewhere if `isElsewhere`. */
  pay(spent: Spent, isElsewhere?: boolean): void
  /** Counts time until the returned function is called. */
  begin(): () => void
  /** Adds milliseconds of work that was done elsewhere. */
  addTime(milliseconds: number): void
  /** Resolves when a running request ends. */
  changed(): Promise<void>
}

export function createLedger(): Ledger {
  let [tokens, cost, requests, past] = [0, 0, 0, 0]
  const running = new Set<Estimate>()
  const works = new Set<{ readonly since: number }>()
  let change = Promise.withResolvers<void>()
  return {
    get tokens() {
      return tokens
    },
    get cost() {
      return cost
    },
    get requests() {
      return requests
    },
    get isBusy() {
      return running.size > 0
    },
    get most() {
      const all = [...running].map(({ most }) => most)
      return {
        tokens: all.reduce((sum, most) => sum + most.tokens, 0),
        cost: all.reduce((sum, most) => sum + most.cost, 0),
      }
    },
    time() {
      const now = performance.now()
      return [...works].reduce((sum, { since }) => sum + now - since, past)
    },
    reserve(estimate) {
      const own = { ...estimate }
      running.add(own)
      requests++
      return () => {
        if (!running.delete(own)) return
        change.resolve()
        change = Promise.withResolvers()
      }
    },
    pay(spent, isElsewhere = false) {
      tokens += allTokens(spent.tokens)
      cost += spent.cost
      if (isElsewhere) requests += spent.requests
    },
    begin() {
      const work = { since: performance.now() }
      works.add(work)
      return () => {
        if (works.delete(work)) past += performance.now() - work.since
      }
    },
    addTime: (milliseconds) => void (past += milliseconds),
    changed: () => change.promise,
  }
}
