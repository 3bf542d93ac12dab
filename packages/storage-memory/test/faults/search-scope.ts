import { matchesWords, searchWords, type SearchQuery, type SessionID, StorageError } from "@pawl/core/storage"
import { collect, type Fault, replacing } from "../fault.ts"
import { findingForEver, ownSearch, searching } from "../own-search.ts"

/** Searches with a part of the query left out. */
function ignoring(name: keyof SearchQuery): Fault["open"] {
  return replacing((storage) => ({
    search: (query) => {
      const rest = Object.entries(query).filter(([key]) => key !== name)
      return storage.search({ text: query.text, ...Object.fromEntries(rest) })
    },
  }))
}

export const searchScope: readonly Fault[] = [
  {
    fault: "answers a search before it has looked at everything",
    breaks: ["finds all for a search that waits for it, and says how far it is"],
    open: replacing((storage) => ({
      search: async function* (query, work) {
        const hits = await collect(storage.search(query, work))
        yield* work?.onProgress ? hits.slice(1) : hits
      },
    })),
  },
  {
    fault: "fails with the reason of a search's end",
    breaks: ["answers a search that is stopped with what it has"],
    open: replacing((storage) => ({
      search: async function* (query, work) {
        work?.signal?.throwIfAborted()
        yield* storage.search(query, work)
      },
    })),
  },
  {
    fault: "gives the oldest part first",
    breaks: ["gives the newest part first"],
    open: searching(async (storage, query) => (await ownSearch(storage, query)).toReversed()),
  },
  { fault: "ignores the limit of a search", breaks: ["gives no more than the limit"], open: ignoring("limit") },
  {
    fault: "takes a limit of 0 for none",
    breaks: ["gives no more than the limit"],
    open: replacing((storage) => ({
      search: ({ limit, ...query }) => storage.search(limit ? { ...query, limit } : query),
    })),
  },
  {
    fault: "searches every session",
    breaks: ["finds in one session when asked to", "needs every condition of a search to hold"],
    open: ignoring("sessionID"),
  },
  {
    fault: "searches directories below the one asked for",
    breaks: ["finds in sessions of a directory, exactly"],
    open: searching((storage, query) => {
      return ownSearch(storage, query, { isAsked: ({ directory }) => directory.startsWith(query.directory ?? "") })
    }),
  },
  {
    fault: "searches every project",
    breaks: ["finds in sessions of a project", "needs every condition of a search to hold"],
    open: ignoring("projectID"),
  },
  {
    fault: "looks at the session after the limit",
    breaks: ["counts to the limit only what the query asks for"],
    open: searching(async (storage, { sessionID, ...query }) => {
      const hits = await collect(storage.search(query))
      return hits.filter((hit) => sessionID === undefined || hit.sessionID === sessionID)
    }),
  },
  {
    fault: "keeps with each part the directory it was written in",
    breaks: ["finds in another directory and project a session that moved there"],
    open: replacing((storage) => {
      const first = new Map<SessionID, string>()
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          if (!first.has(id)) first.set(id, (await storage.getSession(id))?.directory ?? "")
          return revision
        },
        search: async function* ({ directory, ...query }) {
          for await (const hit of storage.search(query)) {
            if (directory === undefined || first.get(hit.sessionID) === directory) yield hit
          }
        },
      }
    }),
  },
  {
    fault: "searches contexts only",
    breaks: ["finds what lies before the boundary"],
    open: replacing((storage) => ({
      search: async function* (query) {
        for await (const hit of storage.search(query)) {
          const { messages } = await storage.readContext(hit.sessionID)
          if (messages.some(({ info }) => info.id === hit.messageID)) yield hit
        }
      },
    })),
  },
  {
    fault: "finds 100 parts",
    breaks: ["finds each of hundreds of parts"],
    open: replacing((storage) => ({ search: (query) => storage.search({ limit: 100, ...query }) })),
  },
  {
    fault: "takes parts with one id for one",
    breaks: ["knows parts with one id in several messages and sessions apart"],
    open: searching(async (storage, query) => {
      const hits = await collect(storage.search(query))
      return [...new Map(hits.map((hit) => [hit.partID, hit])).values()]
    }),
  },
  {
    fault: "finds for ever what was once written",
    breaks: [
      "finds a part that was written again by its new words only",
      "no longer finds a removed part, until it is put again",
      "no longer finds the parts of a removed message",
      "no longer finds a removed session or those below it",
    ],
    open: findingForEver,
  },
  {
    fault: "finds a part by what it was first",
    breaks: ["finds a part that was written again by its new words only"],
    open: replacing((storage) => {
      const first = new Map<string, string>()
      return {
        search: async function* ({ text, ...query }) {
          for (const hit of await ownSearch(storage, { ...query, text: "" }, { matches: () => true })) {
            const known = first.get(hit.partID) ?? hit.text
            first.set(hit.partID, known)
            if (matchesWords(searchWords(known), searchWords(text))) yield hit
          }
        },
      }
    }),
  },
  {
    fault: "never again finds a part that was removed",
    breaks: ["no longer finds a removed part, until it is put again"],
    open: replacing((storage) => {
      const removed = new Set<string>()
      return {
        commit: async (id, writes, lease) => {
          for (const write of writes) if (write.type === "part.remove") removed.add(write.partID)
          return storage.commit(id, writes, lease)
        },
        search: async function* (query) {
          for await (const hit of storage.search(query)) if (!removed.has(hit.partID)) yield hit
        },
      }
    }),
  },
  {
    fault: "refuses commits while hits are read",
    breaks: ["commits and removes while hits are being read, and lets a reader stop early"],
    open: replacing((storage) => {
      let readers = 0
      return {
        commit: async (id, writes, lease) => {
          if (readers > 0) throw new StorageError("locked")
          return storage.commit(id, writes, lease)
        },
        search: async function* (query) {
          readers++
          yield* storage.search(query)
          readers--
        },
      }
    }),
  },
]
