import type { ModelInfo } from "../../contracts/model.ts"
import type { PruneSelection } from "./select-prunable.ts"

export interface PruneDecision {
  readonly prune: boolean
  readonly reason:
    /** Too few outputs can be cleared. */
    | "nothing-to-clear"
    /** The context has to shrink anyway. */
    | "compaction-due"
    /** The provider's cache has expired, so it has to read everything again in any case. */
    | "cache-expired"
    /** Reading less in the next steps is cheaper than writing the cache again. */
    | "saves"
    /** The cached prefix is worth more than clearing would save. */
    | "cache-is-worth-more"
}

export interface PruneSituation {
  readonly selection: Pick<PruneSelection, "reclaimed" | "rewritten">
  /** Set if a compaction is due with the next request. */
  readonly isDue: boolean
  /** Milliseconds since the provider's last answer. Missing if it has not answered yet. */
  readonly sinceAnswer?: number | undefined
  /** Milliseconds for which the provider keeps its cache. */
  readonly cacheTTL: number
  /** Expected number of further requests. The number of the turn so far is a fair guess. */
  readonly furtherSteps: number
  readonly cost: ModelInfo["cost"]
}

/** Decides whether clearing old outputs now is worth the part of the provider's cache that it invalidates. */
export function isPruneWorthwhile(situation: PruneSituation): PruneDecision {
  const { selection, isDue, sinceAnswer, cacheTTL, furtherSteps, cost } = situation
  if (selection.reclaimed <= 0) return { prune: false, reason: "nothing-to-clear" }
  if (isDue) return { prune: true, reason: "compaction-due" }
  if (sinceAnswer === undefined || sinceAnswer > cacheTTL) return { prune: true, reason: "cache-expired" }
  const { read, write } = cachePrices(cost)
  const saved = selection.reclaimed * read * furtherSteps
  const spent = selection.rewritten * Math.max(0, write - read)
  return saved > spent ? { prune: true, reason: "saves" } : { prune: false, reason: "cache-is-worth-more" }
}

/** Usual prices for reading and writing a cache, relative to input, if the model has no prices. */
const READ_RATIO = 0.1
const WRITE_RATIO = 1.25

/**
 * Returns the prices of a token, in any unit, because only their ratio counts. Without a price for writing: the input
 * price.
 */
function cachePrices({ input, cacheRead, cacheWrite }: ModelInfo["cost"]): { read: number; write: number } {
  if (input <= 0 && cacheWrite <= 0) return { read: READ_RATIO, write: WRITE_RATIO }
  const write = cacheWrite > 0 ? cacheWrite : input
  return { read: cacheRead > 0 ? cacheRead : READ_RATIO * (input > 0 ? input : write), write }
}
