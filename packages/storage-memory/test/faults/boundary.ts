import { type MessageWithParts, type Session, StorageError } from "@pawl/core/storage"
import { changingContext, changingValues, type Fault, oldestFirst, replacing } from "../fault.ts"

export const boundary: readonly Fault[] = [
  {
    fault: "reads a context from the beginning",
    breaks: ["reads the context from the boundary on, the message there included"],
    open: changingContext((_, storage, id) => oldestFirst(storage, id)),
  },
  {
    fault: "reads the last messages where there is no boundary",
    breaks: ["reads the whole session without one"],
    open: changingContext((messages) => messages.slice(-3)),
  },
  {
    fault: "has an empty context where there is no session",
    breaks: ["refuses a session that was never stored"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        const session = await storage.getSession(id)
        return session ? storage.readContext(id) : { session: { id } as Session, revision: 0, messages: [] }
      },
    })),
  },
  {
    fault: "starts behind the boundary",
    breaks: [
      "reads the context from the boundary on, the message there included",
      "moves with the session, in either direction",
    ],
    open: changingContext(async (messages, storage, id) => {
      const boundary = (await storage.getSession(id))?.boundary
      return messages.filter(({ info }) => info.id !== boundary)
    }),
  },
  {
    fault: "moves its boundary forwards only",
    breaks: ["moves with the session, in either direction"],
    open: replacing((storage) => {
      let furthest = ""
      return {
        readContext: async (id) => {
          const context = await storage.readContext(id)
          if ((context.session.boundary ?? "") > furthest) furthest = context.session.boundary ?? ""
          return { ...context, messages: context.messages.filter(({ info }) => info.id >= furthest) }
        },
      }
    }),
  },
  {
    fault: "hides what lies before the boundary",
    breaks: ["keeps what lies before the boundary for other readers"],
    open: replacing((storage) => ({
      readMessages: async function* (id) {
        yield* (await storage.readContext(id)).messages.toReversed()
      },
    })),
  },
  {
    fault: "needs the message at the boundary",
    breaks: ["starts behind a boundary whose message was removed"],
    open: changingContext(async (messages, storage, id) => {
      const boundary = (await storage.getSession(id))?.boundary
      return messages.some(({ info }) => info.id === boundary) ? messages : oldestFirst(storage, id)
    }),
  },
  {
    fault: "takes a boundary that is no id for none",
    breaks: ["starts by the order of ids at a boundary that no message has"],
    open: changingContext(async (messages, storage, id) => {
      const boundary = (await storage.getSession(id))?.boundary
      return /^msg_\d+$/.test(boundary ?? "") ? messages : oldestFirst(storage, id)
    }),
  },
  {
    fault: "stores any boundary as a text",
    breaks: ["refuses a boundary or a parent that is not a string"],
    open: changingValues((value, name) => (name === "boundary" ? String(value) : value)),
  },
  {
    fault: "gives the revision of a moment ago",
    breaks: ["gives the revision from which readChanges goes on"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        const context = await storage.readContext(id)
        return { ...context, revision: context.revision - 1 }
      },
    })),
  },
  {
    fault: "has no context before the first message",
    breaks: ["reads a session without messages"],
    open: changingContext((messages) => {
      if (messages.length === 0) throw new StorageError("no messages")
      return messages
    }),
  },
  {
    fault: "brings removed parts back",
    breaks: ["leaves out removed messages and parts"],
    open: replacing((storage) => {
      const known = new Map<string, MessageWithParts>()
      return {
        commit: async (id, writes, lease) => {
          const revision = await storage.commit(id, writes, lease)
          for (const message of await oldestFirst(storage, id)) {
            if (message.parts.length > 0) known.set(message.info.id, message)
          }
          return revision
        },
        readContext: async (id) => {
          const context = await storage.readContext(id)
          return { ...context, messages: context.messages.map((message) => known.get(message.info.id) ?? message) }
        },
      }
    }),
  },
]
