import type { MaintainedStorage } from "@pawl/core/storage"
import { memoryStorage } from "../src/memory-storage.ts"
import { type Fault, replacing } from "./fault.ts"

/** Every handle with some of its calls taken over by a storage of its own, that nobody else sees. */
export function keepingToItself(
  take: (own: MaintainedStorage, storage: MaintainedStorage) => Partial<MaintainedStorage>,
): Fault["open"] {
  return replacing((storage) => take(memoryStorage(), storage))
}

/** Leases that only one handle knows. */
export const ownLeases = keepingToItself((own, storage) => ({
  acquire: async (id, owner, ttl) => {
    const session = await storage.getSession(id)
    if (session) await own.commit(id, [{ type: "session.put", session }])
    return own.acquire(id, owner, ttl)
  },
  commit: async (id, writes, lease) => {
    if (lease) await own.commit(id, [], lease)
    return storage.commit(id, writes)
  },
}))
