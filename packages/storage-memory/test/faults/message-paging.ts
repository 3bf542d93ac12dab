import { StorageError } from "@pawl/core/storage"
import { type Fault, oldestFirst, replacing } from "../fault.ts"

export const messagePaging: readonly Fault[] = [
  {
    fault: "reads the given message too",
    breaks: ["reads only messages older than the given one", "meets each message once when read page by page"],
    open: replacing((storage) => ({
      readMessages: (id, query = {}) => {
        return storage.readMessages(id, query.before === undefined ? query : { ...query, before: `${query.before}!` })
      },
    })),
  },
  {
    fault: "reads everything whatever the limit",
    breaks: ["reads no more than the limit"],
    open: replacing((storage) => ({
      readMessages: (id, query) =>
        storage.readMessages(id, query?.before === undefined ? {} : { before: query.before }),
    })),
  },
  {
    fault: "takes a limit of 0 for none",
    breaks: ["reads no more than the limit"],
    open: replacing((storage) => ({
      readMessages: (id, query) => storage.readMessages(id, query?.limit === 0 ? {} : query),
    })),
  },
  {
    fault: "reads one page of 100",
    breaks: ["reads hundreds of messages in one iteration"],
    open: replacing((storage) => ({
      readMessages: (id, query) => storage.readMessages(id, { limit: 100, ...query }),
    })),
  },
  {
    fault: "needs the given message",
    breaks: ["takes a message that was never stored as a place between others"],
    open: replacing((storage) => ({
      readMessages: async function* (id, query) {
        const messages = await oldestFirst(storage, id)
        const isThere = messages.some(({ info }) => info.id === query?.before)
        if (query?.before === undefined || isThere) yield* storage.readMessages(id, query)
      },
    })),
  },
  {
    fault: "counts parts to the limit",
    breaks: ["counts messages, not their parts"],
    open: replacing((storage) => ({
      readMessages: async function* (id, { limit = Number.POSITIVE_INFINITY, ...query } = {}) {
        let left = limit
        for await (const message of storage.readMessages(id, query)) {
          if (left <= 0) return
          left -= message.parts.length
          yield message
        }
      },
    })),
  },
  {
    fault: "counts removed messages to the limit",
    breaks: ["counts removed messages out of the limit"],
    open: replacing((storage) => {
      let removed = 0
      return {
        commit: async (id, writes, lease) => {
          removed += writes.filter(({ type }) => type === "message.remove").length
          return storage.commit(id, writes, lease)
        },
        readMessages: (id, query) => {
          return storage.readMessages(
            id,
            query?.limit === undefined ? query : { ...query, limit: query.limit - removed },
          )
        },
      }
    }),
  },
  {
    fault: "stays locked when a reader stops early",
    breaks: ["lets a reader stop early"],
    open: replacing((storage) => {
      let open = 0
      return {
        commit: async (id, writes, lease) => {
          if (open > 0) throw new StorageError("locked")
          return storage.commit(id, writes, lease)
        },
        readMessages: async function* (id, query) {
          open++
          yield* storage.readMessages(id, query)
          open--
        },
      }
    }),
  },
  {
    fault: "refuses to read what is not there",
    breaks: ["reads nothing of a session without messages or without a record"],
    open: replacing((storage) => ({
      readMessages: async function* (id, query) {
        await storage.readContext(id)
        yield* storage.readMessages(id, query)
      },
    })),
  },
  {
    fault: "leaves out the parts of prompts with those of answers",
    breaks: ["reads messages and the parts of prompts for a reader that ignores the parts of answers"],
    open: replacing((storage) => ({
      readMessages: async function* (id, query) {
        for await (const message of storage.readMessages(id, query)) {
          yield query?.assistantParts === false ? { ...message, parts: [] } : message
        }
      },
    })),
  },
  {
    fault: "leaves out answers with their parts",
    breaks: ["reads messages and the parts of prompts for a reader that ignores the parts of answers"],
    open: replacing((storage) => ({
      readMessages: async function* (id, query) {
        for await (const message of storage.readMessages(id, query)) {
          if (query?.assistantParts !== false || message.info.role === "user") yield message
        }
      },
    })),
  },
]
