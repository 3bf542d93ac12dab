import { existsSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import type { MaintainedStorage } from "@pawl/core/storage"
// By its place: the suite must not depend on a storage that depends on it.
import { openStorage as openIntact } from "../../storage-sqlite/src/index.ts"

/** Ways in which a storage that several processes open may be broken. */
export const breakages: Readonly<
  Record<string, (url: string) => (storage: MaintainedStorage) => Partial<MaintainedStorage>>
> = {
  "acknowledges commits that it does not make": () => {
    let count = 0
    return (storage) => ({
      commit: (id, writes, lease) => storage.commit(id, ++count % 7 === 0 ? [] : writes, lease),
    })
  },
  "acknowledges commits long before it makes them": () => {
    let revision = 0
    return (storage) => ({
      async commit(id, writes, lease) {
        if (revision++ === 0) return storage.commit(id, writes, lease)
        void sleep(60_000).then(() => storage.commit(id, writes, lease))
        await sleep(1)
        return revision
      },
    })
  },
  "makes a commit in two": () => (storage) => ({
    async commit(id, writes, lease) {
      const revision = await storage.commit(id, writes.slice(0, 1), lease)
      return writes.length > 1 ? storage.commit(id, writes.slice(1), lease) : revision
    },
  }),
  "keeps a session for its owner, whether that lives or not": (url) => (storage) => ({
    acquire(id, owner, ttl) {
      const mark = `${url.slice("sqlite:".length)}.held`
      if (existsSync(mark)) return Promise.resolve(undefined)
      writeFileSync(mark, owner)
      return storage.acquire(id, owner, ttl)
    },
  }),
  "takes every process for dead": () => (storage) => ({
    acquire: (id, _owner, ttl) => storage.acquire(id, "own_child", ttl),
  }),
  "does not look at the lease of a commit": () => (storage) => ({
    commit: (id, writes) => storage.commit(id, writes),
  }),
  "tells its watchers nothing": () => () => ({ async *watch() {} }),
}

/** `<number of the breakage>+sqlite:/path`, for children too. */
export async function openStorage(url: string): Promise<MaintainedStorage> {
  const [number, ...rest] = url.split("+")
  const location = rest.join("+")
  const replace = Object.values(breakages)[Number(number)]?.(location)
  if (!replace) throw new Error(`No breakage has the number ${number}.`)
  const storage = await openIntact(location)
  return { ...storage, ...replace(storage) }
}
