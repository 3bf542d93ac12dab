import type { SessionID } from "@pawl/core/storage"
import { type Fault, replacing, soon } from "../fault.ts"
import { keepingToItself } from "../own-record.ts"

export const watchAcrossHandles: readonly Fault[] = [
  {
    fault: "tells of its own commits",
    breaks: ["reports commits and removals made through another handle", "keeps to the session asked for"],
    open: keepingToItself((own, storage) => ({
      commit: async (id, writes, lease) => {
        await own.commit(id, writes)
        return storage.commit(id, writes, lease)
      },
      watch: (filter, signal) => own.watch(filter, soon(signal)),
    })),
  },
  {
    fault: "tells of its own commits twice",
    breaks: ["reports each revision once when both handles commit"],
    open: replacing((storage) => {
      const own = new Set<SessionID>()
      return {
        commit: async (id, writes, lease) => {
          own.add(id)
          return storage.commit(id, writes, lease)
        },
        watch: (filter, signal) => {
          const changes = storage.watch(filter, soon(signal))
          return (async function* () {
            for await (const change of changes) {
              yield change
              if (own.has(change.sessionID)) yield change
            }
          })()
        },
      }
    }),
  },
  {
    fault: "tells of every session of the other",
    breaks: ["keeps to the session asked for"],
    open: replacing((storage) => ({ watch: (_, signal) => storage.watch({}, signal) })),
  },
]
