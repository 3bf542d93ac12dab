import { type MessageWithParts, type SessionID, StorageError } from "@pawl/core/storage"
import { collect, type Fault, replacing } from "../fault.ts"

/** Lets `iterate` count those who read, and refuses commits meanwhile. */
function locking(iterates: "readMessages" | "listSessions") {
  return replacing((storage) => {
    let readers = 0
    async function* counted<T>(items: AsyncIterable<T>) {
      readers++
      try {
        yield* items
      } finally {
        readers--
      }
    }
    return {
      commit: async (id, writes, lease) => {
        if (readers > 0) throw new StorageError("locked")
        return storage.commit(id, writes, lease)
      },
      ...(iterates === "readMessages"
        ? { readMessages: (id, query) => counted(storage.readMessages(id, query)) }
        : { listSessions: (query) => counted(storage.listSessions(query)) }),
    }
  })
}

export const iteration: readonly Fault[] = [
  {
    fault: "refuses commits while messages are read",
    breaks: ["commits while messages are being read"],
    open: locking("readMessages"),
  },
  {
    fault: "refuses commits while sessions are listed",
    breaks: ["commits while sessions are being listed"],
    open: locking("listSessions"),
  },
  {
    fault: "counts its pages from the newest message",
    breaks: ["commits while messages are being read"],
    open: replacing((storage) => ({
      readMessages: async function* (id) {
        for (let start = 0; ; start += 10) {
          const page = (await collect(storage.readMessages(id))).slice(start, start + 10)
          if (page.length === 0) return
          yield* page
        }
      },
    })),
  },
  {
    fault: "fails when what it reads is removed",
    breaks: ["removes while messages are being read"],
    open: replacing((storage) => ({
      readMessages: async function* (id, query) {
        for await (const message of storage.readMessages(id, query)) {
          await storage.readContext(id)
          yield message
        }
      },
    })),
  },
  {
    fault: "has one place for all readers",
    breaks: ["reads two iterations side by side"],
    open: replacing((storage) => {
      const iterations = new Map<SessionID, AsyncIterable<MessageWithParts>>()
      return {
        readMessages: (id, query) => {
          const iteration = iterations.get(id) ?? storage.readMessages(id, query)
          iterations.set(id, iteration)
          return iteration
        },
      }
    }),
  },
]
