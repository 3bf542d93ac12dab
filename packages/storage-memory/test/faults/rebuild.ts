import { type SessionID, type MaintainedStorage, StorageError } from "@pawl/core/storage"
import { collect, type Fault, replacing } from "../fault.ts"
import { ownSearch } from "../own-search.ts"

/** Calls that are replaced once the storage was rebuilt. */
function afterwards(replace: (storage: MaintainedStorage) => Partial<MaintainedStorage>): Fault["open"] {
  return replacing((storage) => {
    const calls = { ...storage }
    return {
      rebuild: async (work) => {
        await storage.rebuild(work)
        Object.assign(calls, replace(storage))
      },
      search: (query) => calls.search(query),
      gc: async (options) => calls.gc(options),
    }
  })
}

export const rebuild: readonly Fault[] = [
  {
    fault: "finds nothing once rebuilt",
    breaks: ["answers as before", "finds what was written since the last search", "runs beside commits and loses none"],
    open: afterwards(() => ({ search: async function* () {} })),
  },
  {
    fault: "finds what an index of long ago has",
    breaks: ["finds what was written since the last search"],
    open: replacing((storage) => {
      const known = new Map<string, ReturnType<typeof ownSearch>>()
      return {
        search: async function* (query) {
          const found = known.get(query.text) ?? ownSearch(storage, query)
          known.set(query.text, found)
          yield* await found
        },
      }
    }),
  },
  {
    fault: "cannot rebuild what is empty",
    breaks: ["does nothing in a new storage"],
    open: replacing((storage) => ({
      rebuild: async (work) => {
        if ((await collect(storage.listSessions())).length === 0) throw new StorageError("There is nothing.")
        return storage.rebuild(work)
      },
    })),
  },
  {
    fault: "forgets the ages of blobs",
    breaks: ["collects the same blobs as before"],
    open: afterwards((storage) => ({ gc: () => storage.gc({ minAge: 0 }) })),
  },
  {
    fault: "writes the records anew",
    breaks: ["answers as before", "leaves revisions, changes and leases as they are"],
    open: replacing((storage) => ({
      rebuild: async (work) => {
        await storage.rebuild(work)
        for (const { id } of await collect(storage.listSessions())) await storage.commit(id, [])
      },
    })),
  },
  {
    fault: "puts a list in place that was made when it began",
    breaks: ["runs beside commits and loses none"],
    open: replacing((storage) => {
      let known: Set<SessionID> | undefined
      return {
        rebuild: async (work) => {
          known = new Set((await collect(storage.listSessions())).map(({ id }) => id))
          return storage.rebuild(work)
        },
        listSessions: async function* (query) {
          for await (const session of storage.listSessions(query)) {
            if (known === undefined || known.has(session.id)) yield session
          }
        },
      }
    }),
  },
  {
    fault: "finds nothing while it rebuilds",
    breaks: ["answers readers while it runs"],
    open: replacing((storage) => {
      let running = 0
      return {
        rebuild: async (work) => {
          running++
          await new Promise(setImmediate)
          running--
          return storage.rebuild(work)
        },
        search: async function* (query) {
          await Promise.resolve()
          if (running === 0) yield* storage.search(query)
        },
      }
    }),
  },
  {
    fault: "rebuilds whatever the signal says",
    breaks: ["stops when the signal has aborted, with its reason, and can begin again"],
    open: replacing((storage) => ({ rebuild: () => storage.rebuild() })),
  },
]
