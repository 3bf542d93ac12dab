import type { WatchedChange } from "@pawl/core/storage"
import { type Fault, replacing, soon, watching } from "../fault.ts"

export const watch: readonly Fault[] = [
  {
    fault: "starts with the first read",
    breaks: ["starts at the call, not with the history and not with the first read"],
    open: replacing((storage) => ({
      watch: async function* (filter, signal) {
        yield* storage.watch(filter, soon(signal))
      },
    })),
  },
  {
    fault: "tells of what lies before the call",
    breaks: ["starts at the call, not with the history and not with the first read"],
    open: replacing((storage) => {
      const history: WatchedChange[] = []
      return {
        commit: async (sessionID, writes, lease) => {
          const revision = await storage.commit(sessionID, writes, lease)
          history.push({ sessionID, revision })
          return revision
        },
        watch: (filter, signal) => {
          const changes = storage.watch(filter, signal)
          return (async function* () {
            yield* history
            yield* changes
          })()
        },
      }
    }),
  },
  {
    fault: "says nothing",
    breaks: ["reports a commit with its revision", "wakes a reader that waits"],
    open: replacing((storage) => ({ watch: (filter) => storage.watch(filter, AbortSignal.abort()) })),
  },
  {
    fault: "tells of every session",
    breaks: ["reports one session only on request"],
    open: replacing((storage) => ({ watch: (_, signal) => storage.watch({}, signal) })),
  },
  {
    fault: "keeps every change for a slow reader",
    breaks: ["merges what a slow reader has missed"],
    open: replacing((storage) => {
      const queue: WatchedChange[] = []
      return {
        commit: async (sessionID, writes, lease) => {
          const revision = await storage.commit(sessionID, writes, lease)
          queue.push({ sessionID, revision })
          return revision
        },
        watch: async function* () {
          yield* queue
        },
      }
    }),
  },
  {
    fault: "says nothing of removals",
    breaks: ["reports a removed session, and those removed with it, by revision 0"],
    open: watching(async function* (changes) {
      for await (const change of changes) if (change.revision > 0) yield change
    }),
  },
  {
    fault: "tells of a commit before it has failed",
    breaks: ["says nothing of failed commits"],
    open: replacing((storage) => {
      const queue: WatchedChange[] = []
      return {
        commit: async (sessionID, writes, lease) => {
          const known = (await storage.getSession(sessionID)) ? (await storage.readContext(sessionID)).revision : 0
          queue.push({ sessionID, revision: known + 1 })
          return storage.commit(sessionID, writes, lease)
        },
        watch: () => {
          queue.length = 0
          return (async function* () {
            yield* queue
          })()
        },
      }
    }),
  },
  {
    fault: "tells the first watcher only",
    breaks: ["tells every watcher"],
    open: replacing((storage) => {
      let watchers = 0
      return {
        watch: (filter, signal) => storage.watch(filter, watchers++ === 0 ? signal : AbortSignal.abort()),
      }
    }),
  },
  {
    fault: "fails when the signal aborts",
    breaks: ["ends when the signal aborts", "ends at once when the signal has aborted before"],
    open: replacing((storage) => ({
      watch: async function* (filter, signal) {
        yield* storage.watch(filter, signal)
        signal.throwIfAborted()
      },
    })),
  },
  {
    fault: "fails when the storage is closed",
    breaks: ["ends when the storage is closed"],
    open: watching(async function* (changes) {
      yield* changes
      throw new Error("The storage was closed.")
    }),
  },
  {
    fault: "is stuck when a watcher stops early",
    breaks: ["lets a watcher stop early"],
    open: replacing((storage) => {
      let stuck = false
      return {
        commit: async (id, writes, lease) => {
          if (stuck) throw new Error("Nobody takes the change.")
          return storage.commit(id, writes, lease)
        },
        watch: (filter, signal) => {
          const changes = storage.watch(filter, soon(signal))
          return (async function* () {
            try {
              yield* changes
            } finally {
              stuck = true
            }
          })()
        },
      }
    }),
  },
]
