import type { SessionID } from "../base/ids.ts"
import type { Storage } from "../contracts/storage.ts"
import { rootOf } from "./ancestors.ts"

/** Sessions whose topmost one is kept in mind. */
const MOST = 10_000

/** The topmost session above each, looked up once. */
export interface Roots {
  of(id: SessionID): Promise<SessionID>
  /** Undefined where it is not known without looking it up. */
  known(id: SessionID): SessionID | undefined
  /** Keeps in mind what somebody has found out. */
  learn(id: SessionID, root: SessionID): void
}

export function createRoots(storage: Pick<Storage, "getSession">): Roots {
  const roots = new Map<SessionID, SessionID>()
  const learn = (id: SessionID, root: SessionID) => {
    roots.set(id, root)
    if (roots.size <= MOST) return
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
