import type { Estimate } from "../usage/estimate.ts"
import { allTokens, type Spent } from "../record/spent.ts"

/** What was spent under a limit, and what is under way. Those who share it see what the others do. */
export interface Ledger {
  readonly tokens: number
  /** US dollars. */
  readonly cost: number
  /** Those under way count. */
  readonly requests: number
  /** Milliseconds of work so far. */
  time(): number
  /** What those under way may take at most. */
  readonly most: Estimate["most"]
  readonly isBusy: boolean
  /** A request is under way until the result is called. */
  reserve(estimate: Estimate): () => void
  /** Requests of it were reserved, or made elsewhere where `isElsewhere`. */
  pay(spent: Spent, isElsewhere?: boolean): void
  /** Work goes on until the result is called. */
  begin(): () => void
  /** Milliseconds of work that was done elsewhere. */
  addTime(milliseconds: number): void
  /** Resolves when what is under way has changed. */
  changed(): Promise<void>
}

export function createLedger(): Ledger {
  let [tokens, cost, requests, past] = [0, 0, 0, 0]
  const underWay = new Set<Estimate>()
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
      return underWay.size > 0
    },
    get most() {
      const all = [...underWay].map(({ most }) => most)
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
      underWay.add(own)
      requests++
      return () => {
        if (!underWay.delete(own)) return
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
