import { setTimeout as sleep } from "node:timers/promises"
import type { MaintainedStorage } from "@pawl/core/storage"

/**
 * A guard to remove, to show that a sweep notices it. `early`: acknowledges commits before they are made. `unfenced`:
 * commits without a lease. `split`: splits a commit in two. `swallow`: hides failures. `lossy`: acknowledges some
 * commits without making them. `foreign`: passes untyped errors.
 */
export type Sabotage = "early" | "unfenced" | "split" | "swallow" | "lossy" | "foreign"

export function sabotaged(storage: MaintainedStorage, sabotage: Sabotage | undefined): MaintainedStorage {
  switch (sabotage) {
    case undefined:
      return storage
    case "early":
      return acknowledgingEarly(storage)
    case "unfenced":
      return { ...storage, commit: (id, writes) => storage.commit(id, writes) }
    case "split":
      return {
        ...storage,
        async commit(id, writes, lease) {
          const revision = await storage.commit(id, writes.slice(0, 1), lease)
          if (writes.length > 1) await storage.commit(id, writes.slice(1), lease)
          return revision
        },
      }
    case "swallow":
      return { ...storage, commit: (...args) => storage.commit(...args).catch(() => 0) }
    case "lossy":
      return losing(storage)
    case "foreign":
      return {
        ...storage,
        commit: async (...args) =>
          storage.commit(...args).catch((error: unknown) => {
            throw new Error("Something failed", { cause: error })
          }),
      }
  }
}

/** Writes a few milliseconds later. Its own readers wait for the write. */
function acknowledgingEarly(storage: MaintainedStorage): MaintainedStorage {
  const revisions = new Map<string, number>()
  let written: Promise<unknown> = Promise.resolve()
  const afterWrites = async <T>(read: () => Promise<T>): Promise<T> => written.then(read)
  return {
    ...storage,
    getSession: (id) => afterWrites(() => storage.getSession(id)),
    readContext: (id) => afterWrites(() => storage.readContext(id)),
    readChanges: (id, after) => afterWrites(() => storage.readChanges(id, after)),
    async *readMessages(id, query) {
      await written
      yield* storage.readMessages(id, query)
    },
    acquire: (id, owner, ttl) => afterWrites(() => storage.acquire(id, owner, ttl)),
    commit(id, writes, lease) {
      const revision = (revisions.get(id) ?? 0) + 1
      revisions.set(id, revision)
      written = written.then(() => sleep(5)).then(() => storage.commit(id, writes, lease))
      return Promise.resolve(revision)
    },
    close: () => afterWrites(() => storage.close()),
  }
}

function losing(storage: MaintainedStorage): MaintainedStorage {
  let count = 0
  return {
    ...storage,
    async commit(id, writes, lease) {
      if (++count % 7 > 0) return storage.commit(id, writes, lease)
      const { revision } = await storage.readContext(id)
      return revision + 1
    },
  }
}
