import type { SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import { rootOf } from "./ancestors.ts"

/** Maximum number of sessions whose topmost session is cached. */
const MAX_ROOTS = 10_000

/** Caches the topmost session above each session. */
export interface Roots {
  of(id: SessionID): Promise<SessionID>
  /** Returns the cached value; undefined if it was not looked up yet. */
  known(id: SessionID): SessionID | undefined
  /** Caches a topmost session that the caller knows. */
  learn(id: SessionID, root: SessionID): void
}

export function createRoots(storage: Pick<Storage, "getSession">): Roots {
  const roots = new Map<SessionID, SessionID>()
  const learn = (id: SessionID, root: SessionID) => {
    roots.set(id, root)
    if (roots.size <= MAX_ROOTS) return
    const [oldest] = roots.keys()
    if (oldest) roots.delete(oldest)
  }
  return {
    learn,
    known: (id) => roots.get(id),
    async of(id) {
      const known = roots.get(id)
      if (known) return known
      const root = await rootOf(storage, id)
      learn(id, root)
      return root
    },
  }
}
