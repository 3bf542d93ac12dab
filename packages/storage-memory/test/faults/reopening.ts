import type { SessionID } from "@pawl/core/storage"
import { memoryStorage } from "../../src/memory-storage.ts"
import { type Fault, replacing } from "../fault.ts"
import { findingForEver } from "../own-search.ts"
import { keepingToItself, ownLeases } from "../own-record.ts"

export const reopening: readonly Fault[] = [
  {
    fault: "forgets everything",
    breaks: [
      "finds everything again",
      "goes on counting",
      "keeps a lease and continues its epochs",
      "answers every question as before",
      "keeps references and ages of blobs",
    ],
    open: () => () => memoryStorage(),
  },
  {
    fault: "forgets blobs",
    breaks: ["finds everything again"],
    open: keepingToItself((own) => ({ blobs: own.blobs })),
  },
  {
    fault: "forgets removals",
    breaks: ["does not bring back what was removed"],
    open: replacing((storage) => {
      const removed = new Set<SessionID>()
      return {
        removeSession: async (id) => void removed.add(id),
        getSession: async (id) => (removed.has(id) ? undefined : storage.getSession(id)),
      }
    }),
  },
  {
    fault: "forgets leases",
    breaks: [
      "keeps a lease and continues its epochs",
      "raises epochs across closing, for every owner",
      "still rejects who was stale before",
    ],
    open: ownLeases,
  },
  {
    fault: "searches only what was written since it was opened",
    breaks: ["answers every question as before"],
    open: findingForEver,
  },
  {
    fault: "takes blobs for old when it is opened again",
    breaks: ["keeps references and ages of blobs"],
    open: (open) => {
      const known = new Set<string>()
      return (location) => {
        const storage = open(location)
        const isKnown = known.has(location)
        known.add(location)
        return { ...storage, gc: (options) => storage.gc(isKnown ? { minAge: 0 } : options) }
      }
    },
  },
  {
    fault: "opens only what something was stored in",
    breaks: ["opens when nothing was ever stored"],
    open: (open) => {
      const [known, stored] = [new Set<string>(), new Set<string>()]
      return (location) => {
        if (known.has(location) && !stored.has(location)) throw new Error(`${location} is empty.`)
        known.add(location)
        const storage = open(location)
        return {
          ...storage,
          commit: async (id, writes, lease) => {
            stored.add(location)
            return storage.commit(id, writes, lease)
          },
        }
      }
    },
  },
]
