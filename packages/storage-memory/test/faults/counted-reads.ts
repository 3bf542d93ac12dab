import type { Context, SessionID } from "@pawl/core/storage"
import { collect, type Fault, oldestFirst, replacing } from "../fault.ts"

export const countedReads: readonly Fault[] = [
  {
    fault: "counts nothing",
    breaks: ["counts what it reads"],
    open: replacing((storage) => {
      const known = new Map<SessionID, Context>()
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          known.set(id, await storage.readContext(id))
          return revision
        },
        readContext: async (id) => known.get(id) ?? storage.readContext(id),
      }
    }),
  },
  {
    fault: "looks for the boundary from the beginning",
    breaks: ["reads the tail for a context, whatever lies before the boundary"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        await oldestFirst(storage, id)
        return storage.readContext(id)
      },
    })),
  },
  {
    fault: "makes a context from all changes",
    breaks: [
      "reads the tail for a context, whatever lies before the boundary",
      "reads the tail for a context, however often it was written or removed from",
    ],
    open: replacing((storage) => ({
      readContext: async (id) => {
        await storage.readChanges(id, 0)
        return storage.readContext(id)
      },
    })),
  },
  {
    fault: "looks at every record for its revision",
    breaks: ["reads the changes after a revision, whatever was written before"],
    open: replacing((storage) => ({
      readChanges: async (id, after) => {
        const changes = await storage.readChanges(id, 0)
        return changes.filter(({ revision }) => revision > after)
      },
    })),
  },
  {
    fault: "lists sessions with their messages",
    breaks: ["reads no message for a session or a list"],
    open: replacing((storage) => ({
      listSessions: async function* (query) {
        for (const session of await collect(storage.listSessions(query))) {
          yield (await storage.readContext(session.id)).session
        }
      },
    })),
  },
]
