import { blobReferences, type MaintainedStorage } from "@pawl/core/storage"
import { collect, type Fault, replacing } from "./fault.ts"

/** Collects by `referenced` instead of by all records; what it removes is hidden. */
export function collectingBy(referenced: (storage: MaintainedStorage) => Promise<readonly string[]>): Fault["open"] {
  return collectingWith((storage) => ({ referenced: () => referenced(storage) }))
}

/** The same with more calls replaced, for what a collection remembers. */
export function collectingWith(
  replace: (
    storage: MaintainedStorage,
  ) => { referenced: () => Promise<readonly string[]> } & Partial<MaintainedStorage>,
): Fault["open"] {
  return replacing((storage) => {
    const sizes = new Map<string, number>()
    const { referenced, ...calls } = replace(storage)
    return {
      blobs: {
        put: async (bytes) => {
          const id = await storage.blobs.put(bytes)
          sizes.set(id, bytes.length)
          return id
        },
        get: async (id) => (sizes.has(id) ? storage.blobs.get(id) : undefined),
      },
      gc: async () => {
        const kept = new Set(await referenced())
        const gone = [...sizes].filter(([id]) => !kept.has(id))
        for (const [id] of gone) sizes.delete(id)
        return { blobs: gone.length, bytes: gone.reduce((sum, [, size]) => sum + size, 0) }
      },
      ...calls,
    }
  })
}

/** What the sessions, messages and parts of a storage refer to now. */
export async function currentReferences(storage: MaintainedStorage): Promise<string[]> {
  const sessions = await collect(storage.listSessions())
  const messages = await Promise.all(sessions.map(({ id }) => collect(storage.readMessages(id))))
  return blobReferences(JSON.stringify([sessions, messages]))
}
