import type { ModelInfo } from "../../contracts/model.ts"
import type { PruneSelection } from "./select-prunable.ts"

export interface PruneDecision {
  readonly prune: boolean
  readonly reason:
    /** No output can be cleared, or too little of them. */
    | "nothing-to-clear"
    /** The context has to shrink anyway. */
    | "compaction-due"
    /** The provider has to read all of it anew in any case. */
    | "cache-expired"
    /** Reading less in the steps to come is cheaper than writing the cache anew. */
    | "saves"
    /** The cached prefix is worth more than what clearing would save. */
    | "cache-is-worth-more"
}

export interface PruneSituation {
  readonly selection: Pick<PruneSelection, "reclaimed" | "rewritten">
  /** A compaction is due with the next request. */
  readonly isDue: boolean
  /** Milliseconds since the provider answered last; absent where it has not answered yet. */
  readonly sinceAnswer?: number | undefined
  /** Milliseconds for which the provider keeps its cache. */
  readonly cacheTTL: number
  /** Requests that are expected to follow: as many as the turn has taken is a fair guess. */
  readonly furtherSteps: number
  readonly cost: ModelInfo["cost"]
}

/** Whether clearing old outputs now is worth the part of the provider's cache that it makes void. */
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

/** Where no price is known, what providers commonly ask for reading and writing a cache beside 1 for input. */
const READ_RATIO = 0.1
const WRITE_RATIO = 1.25

/** Of a token, in any unit: only their ratio counts. A provider that asks nothing for writing asks its input price. */
function cachePrices({ input, cacheRead, cacheWrite }: ModelInfo["cost"]): { read: number; write: number } {
  if (input <= 0 && cacheWrite <= 0) return { read: READ_RATIO, write: WRITE_RATIO }
  const write = cacheWrite > 0 ? cacheWrite : input
  return { read: cacheRead > 0 ? cacheRead : READ_RATIO * (input > 0 ? input : write), write }
}
