import type { Session, SessionID, MaintainedStorage } from "@pawl/core/storage"
import { memoryStorage } from "../../src/memory-storage.ts"
import { type Fault, replacing } from "../fault.ts"
import { keepingToItself, ownLeases } from "../own-record.ts"

export const twoHandles: readonly Fault[] = [
  {
    fault: "remembers what it has read",
    breaks: ["shows each what the other committed"],
    open: replacing((storage) => {
      const known = new Map<SessionID, Session>()
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          const session = await storage.getSession(id)
          if (session) known.set(id, session)
          return revision
        },
        getSession: async (id) => known.get(id) ?? storage.getSession(id),
      }
    }),
  },
  {
    fault: "shows the other each write of a commit",
    breaks: ["shows the other all of a commit or nothing of it", "shows whole commits to each of many handles"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        let revision = 0
        for (const write of writes) revision = await storage.commit(id, [write], lease)
        return revision
      },
    })),
  },
  {
    fault: "counts its own commits",
    breaks: ["loses no revision when both commit to one session"],
    open: replacing((storage) => {
      let revision = 0
      return {
        commit: async (id, writes, lease) => {
          await storage.commit(id, writes, lease)
          return ++revision
        },
      }
    }),
  },
  {
    fault: "writes back all it knows",
    breaks: ["loses no revision when both commit to one session", "keeps both writers' sessions"],
    open: (open) => {
      const files = new Map<string, MaintainedStorage>()
      return (location) => {
        const storage = files.get(location) ?? open(location)
        files.set(location, storage)
        const own = memoryStorage()
        return {
          ...storage,
          commit: async (id, writes) => own.commit(id, writes),
          readContext: async (id) => own.readContext(id),
          listSessions: (query) => own.listSessions(query),
        }
      }
    },
  },
  {
    fault: "leases to each its own",
    breaks: ["gives the lease to one of both", "knows the other's lease, its release and its successor"],
    open: ownLeases,
  },
  {
    fault: "refuses commits while the other reads",
    breaks: ["commits through one while the other reads"],
    open: (open) => {
      let readers = 0
      return replacing((storage) => ({
        readMessages: async function* (id, query) {
          readers++
          yield* storage.readMessages(id, query)
          readers--
        },
        commit: async (id, writes, lease) => {
          if (readers > 0) throw new Error("The file is locked.")
          return storage.commit(id, writes, lease)
        },
      }))(open)
    },
  },
  {
    fault: "counts what it wrote itself",
    breaks: ["counts and collects what the other wrote"],
    open: keepingToItself((own) => ({ stats: () => own.stats() })),
  },
  {
    fault: "refuses commits while the other makes everything anew",
    breaks: ["commits through one handle while the other rebuilds"],
    open: (open) => {
      let running = 0
      return replacing((storage) => ({
        rebuild: async (work) => {
          running++
          await new Promise(setImmediate)
          running--
          return storage.rebuild(work)
        },
        commit: async (id, writes, lease) => {
          if (running > 0) throw new Error("The file is locked.")
          return storage.commit(id, writes, lease)
        },
      }))(open)
    },
  },
  {
    fault: "closes both with one",
    breaks: ["stays open when the other is closed"],
    open: (open) => {
      const shared = new Map<string, MaintainedStorage>()
      return (location) => {
        const storage = shared.get(location) ?? open(location)
        shared.set(location, storage)
        return storage
      }
    },
  },
]
