import { changingContext, collect, type Fault, oldestFirst, replacing } from "../fault.ts"

export const order: readonly Fault[] = [
  {
    fault: "reads the context newest first",
    breaks: ["reads the context oldest message first, in whatever order they were stored"],
    open: changingContext((messages) => messages.toReversed()),
  },
  {
    fault: "reads messages oldest first",
    breaks: ["reads messages newest first"],
    open: replacing((storage) => ({
      readMessages: async function* (id) {
        yield* await oldestFirst(storage, id)
      },
    })),
  },
  {
    fault: "reads parts as they were written",
    breaks: ["reads parts by id within their message"],
    open: changingContext(async (messages, storage, id) => {
      const written = (await storage.readChanges(id, 0)).flatMap((change) =>
        change.type === "part.put" ? [change.part] : [],
      )
      return messages.map(({ info }) => ({ info, parts: written.filter(({ messageID }) => messageID === info.id) }))
    }),
  },
  {
    fault: "compares ids as words and numbers",
    breaks: ["compares ids by their characters, not as numbers or words"],
    open: changingContext((messages) => {
      return messages.toSorted((a, b) => a.info.id.localeCompare(b.info.id, "en", { numeric: true }))
    }),
  },
  {
    fault: "lists sessions by the time of their creation",
    breaks: ["lists sessions newest first, which is by id"],
    open: replacing((storage) => ({
      listSessions: async function* (query) {
        const sessions = await collect(storage.listSessions(query))
        yield* sessions.toSorted((a, b) => b.time.created - a.time.created)
      },
    })),
  },
]
