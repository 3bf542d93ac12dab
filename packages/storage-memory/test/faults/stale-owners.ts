import type { Lease } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

/** Proves leases only while `isHeld` says so of the last one. */
function provingWhile(isHeld: (last: { released: boolean; ends: number }) => boolean): Fault["open"] {
  return replacing((storage) => {
    const last = { released: false, ends: Number.POSITIVE_INFINITY }
    return {
      acquire: async (id, owner, ttl) => {
        const lease = await storage.acquire(id, owner, ttl)
        if (!lease) return undefined
        Object.assign(last, { released: false, ends: performance.now() + ttl })
        return {
          ...lease,
          release: async () => {
            last.released = true
            await lease.release()
          },
        }
      },
      commit: async (id, writes, lease) => storage.commit(id, writes, isHeld(last) ? lease : undefined),
    }
  })
}

export const staleOwners: readonly Fault[] = [
  {
    fault: "does not look at the lease of a commit",
    breaks: [
      "rejects whatever a stale owner writes, nothing too",
      "knows the last owner of many",
      "accepts commits in the order of their epochs while owners change",
    ],
    open: replacing((storage) => ({ commit: async (id, writes) => storage.commit(id, writes) })),
  },
  {
    fault: "does not look at the lease of a commit without writes",
    breaks: ["rejects whatever a stale owner writes, nothing too"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => storage.commit(id, writes, writes.length > 0 ? lease : undefined),
    })),
  },
  {
    fault: "takes everything once the session is released",
    breaks: ["rejects it though its successor has gone without a write"],
    open: provingWhile(({ released }) => !released),
  },
  {
    fault: "takes everything once the last lease is over",
    breaks: ["rejects it though its successor's time is over as well"],
    open: provingWhile(({ ends }) => ends > performance.now()),
  },
  {
    fault: "looks at the owner of a lease only",
    breaks: ["takes nothing by an old lease of an owner that has the session again"],
    open: replacing((storage) => {
      let epoch = 0
      return {
        acquire: async (id, owner, ttl) => {
          const lease = await storage.acquire(id, owner, ttl)
          epoch = lease?.token.epoch ?? epoch
          return lease
        },
        commit: async (id, writes, lease) => storage.commit(id, writes, lease && { ...lease, epoch }),
      }
    }),
  },
  {
    fault: "releases the session for any lease of its owner",
    breaks: ["keeps a new lease of an owner when its old one is released"],
    open: replacing((storage) => {
      let current: Lease | undefined
      return {
        acquire: async (id, owner, ttl) => {
          const lease = await storage.acquire(id, owner, ttl)
          current = lease ?? current
          return lease && { ...lease, release: async () => current?.release() }
        },
      }
    }),
  },
]
