import type { SessionID, MaintainedStorage } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

export const isolation: readonly Fault[] = [
  {
    fault: "has one store for all locations",
    breaks: [
      "shows nothing of one store in another",
      "counts, leases and removes the same id apart",
      "searches, counts and collects in one store only",
    ],
    open: (open) => () => open("everywhere"),
  },
  {
    fault: "has one blob store for all locations",
    breaks: ["shows nothing of one store in another"],
    open: (open) => (location) => ({ ...open(location), blobs: open("everywhere").blobs }),
  },
  {
    fault: "leases a session in all locations at once",
    breaks: ["counts, leases and removes the same id apart"],
    open: (open) => {
      const owners = new Map<SessionID, string>()
      return replacing((storage) => ({
        acquire: async (id, owner, ttl) => {
          if (!owners.has(id)) owners.set(id, owner)
          return owners.get(id) === owner ? storage.acquire(id, owner, ttl) : undefined
        },
      }))(open)
    },
  },
  {
    fault: "closes all locations with one",
    breaks: ["goes on when another store is closed"],
    open: (open) => {
      const opened: MaintainedStorage[] = []
      return (location) => {
        const storage = open(location)
        opened.push(storage)
        return { ...storage, close: async () => void (await Promise.all(opened.map((some) => some.close()))) }
      }
    },
  },
]
