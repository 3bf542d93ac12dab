import type { Change, SearchHit, MaintainedStorage, StorageProblem } from "@pawl/core/storage"
import { collect } from "../writes.ts"

// These functions remove from results what the contract does not define.

/** Sorts hits, since their order is only defined for parts that were written one after another. */
export function comparableHits(hits: readonly SearchHit[]): unknown {
  return hits.map((hit) => JSON.stringify([hit.sessionID, hit.messageID, hit.partID, hit.text])).toSorted()
}

/** Sorts removals: the contract does not fix the position of a part's removal that came with its message's. */
export function comparableChanges(changes: readonly Change[]): unknown {
  const isPut = ({ type }: Change) => type.endsWith(".put")
  const removals = changes.filter((change) => !isPut(change))
  return {
    puts: changes.filter(isPut),
    removals: removals
      .map((change) => JSON.stringify(Object.entries(change).toSorted(([a], [b]) => (a < b ? -1 : 1))))
      .toSorted(),
  }
}

export async function countsOf(storage: MaintainedStorage): Promise<unknown> {
  return (await storage.stats()).records
}

/** Returns each problem once, regardless of the number of records with it. */
export async function problemsOf(storage: MaintainedStorage): Promise<unknown> {
  const problems: StorageProblem[] = await collect(storage.verify())
  return [...new Set(problems.map(({ kind, subject }) => `${kind} ${subject}`))].toSorted()
}
