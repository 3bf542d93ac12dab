import type { Lease, MaintainedStorage } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

/** Gives leases that are changed. */
function leasing(change: (lease: Lease, storage: MaintainedStorage) => Partial<Lease>) {
  return replacing((storage) => ({
    acquire: async (id, owner, ttl) => {
      const lease = await storage.acquire(id, owner, ttl)
      return lease && { ...lease, ...change(lease, storage) }
    },
  }))
}

export const leases: readonly Fault[] = [
  {
    fault: "does not look at the lease of a commit",
    breaks: [
      "rejects a stale owner's commit and writes nothing of it",
      "rejects commits and renewals after the release",
      "rejects a token that was never given",
    ],
    open: replacing((storage) => ({ commit: async (id, writes) => storage.commit(id, writes) })),
  },
  {
    fault: "looks at the lease when all is written",
    breaks: ["rejects a stale owner's commit and writes nothing of it"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        const revision = await storage.commit(id, writes)
        if (lease) await storage.commit(id, [], lease)
        return revision
      },
    })),
  },
  {
    fault: "looks at the owner of a lease only",
    breaks: ["raises the epoch with each acquisition, by the same owner too", "rejects a token that was never given"],
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
    fault: "takes a lease for any session",
    breaks: ["rejects a token of another session"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => storage.commit(id, writes, lease && { ...lease, sessionID: id }),
    })),
  },
  {
    fault: "takes commits of the lease's owner only",
    breaks: ["commits without a lease while another owner holds one"],
    open: replacing((storage) => {
      let held = false
      return {
        acquire: async (id, owner, ttl) => {
          held = true
          return storage.acquire(id, owner, ttl)
        },
        commit: async (id, writes, lease) => {
          if (held && !lease) throw new Error("The session is held.")
          return storage.commit(id, writes, lease)
        },
      }
    }),
  },
  {
    fault: "takes everybody for one owner",
    breaks: [
      "gives the session to its first owner",
      "refuses a second owner while the first holds it",
      "gives a free session to one of many who ask at once",
    ],
    open: replacing((storage) => ({ acquire: async (id, _, ttl) => storage.acquire(id, "everybody", ttl) })),
  },
  {
    fault: "leases one session at a time",
    breaks: ["gives other sessions to other owners"],
    open: replacing((storage) => {
      let taken: string | undefined
      return {
        acquire: async (id, owner, ttl) => {
          taken ??= owner
          return taken === owner ? storage.acquire(id, owner, ttl) : undefined
        },
      }
    }),
  },
  {
    fault: "leases for ever",
    breaks: ["ends when its time passes without renewal"],
    open: replacing((storage) => {
      let attempts = 0
      return {
        acquire: async (id, owner) => {
          if (++attempts > 20) throw new Error("The session is still held.")
          return storage.acquire(id, owner, 1_000_000)
        },
      }
    }),
  },
  {
    fault: "does not renew",
    breaks: ["lasts as long as it is renewed"],
    open: leasing(() => ({ renew: async () => {} })),
  },
  {
    fault: "refuses an owner whose time is over though nobody took the session",
    breaks: ["still commits and renews after its time if no other owner took the session"],
    open: replacing((storage) => {
      let end = 0
      return {
        acquire: async (id, owner, ttl) => {
          end = performance.now() + ttl
          return storage.acquire(id, owner, ttl)
        },
        commit: async (id, writes, lease) => {
          if (lease && performance.now() > end) throw new Error("The lease has expired.")
          return storage.commit(id, writes, lease)
        },
      }
    }),
  },
  {
    fault: "renews whatever was taken by another",
    breaks: ["rejects a stale owner's renewal", "rejects commits and renewals after the release"],
    open: leasing((lease) => ({ renew: () => lease.renew().catch(() => {}) })),
  },
  {
    fault: "keeps a session that is released",
    breaks: ["is free again once released"],
    open: leasing(() => ({ release: async () => {} })),
  },
  {
    fault: "releases the session whoever holds it",
    breaks: ["leaves the current owner alone when a stale one releases", "does nothing when released twice"],
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
  {
    fault: "does not move the end of a lease that is renewed",
    breaks: ["names the holder of a lease, and when it ends"],
    open: replacing((storage) => {
      let ends: number | undefined
      return {
        leaseHolder: async (id) => {
          const holder = await storage.leaseHolder?.(id)
          ends ??= holder?.ends
          return holder && { ...holder, ends: ends ?? 0 }
        },
      }
    }),
  },
  {
    fault: "remembers the last holder",
    breaks: ["names no holder of a lease whose time is over"],
    open: replacing(() => ({
      leaseHolder: async () => ({ epoch: 1, ends: 0, remaining: 0, isAlive: true }),
    })),
  },
  {
    fault: "counts a renewal as a commit",
    breaks: ["does not count as a commit"],
    open: leasing((lease, storage) => ({
      renew: async () => {
        await lease.renew()
        await storage.commit(lease.token.sessionID, [])
      },
    })),
  },
  {
    fault: "writes nothing under a lease",
    breaks: ["commits under a current lease"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => (lease ? 1 : storage.commit(id, writes)),
    })),
  },
  {
    fault: "leases what does not exist to nobody",
    breaks: ["refuses a session that does not exist to anybody"],
    open: replacing((storage) => ({
      acquire: async (id, owner, ttl) => ((await storage.getSession(id)) ? storage.acquire(id, owner, ttl) : undefined),
    })),
  },
]
