import { type Fault, replacing } from "../fault.ts"

export const limitedImages: readonly Fault[] = [
  {
    fault: "reads no message with changes of files",
    breaks: [
      "counts contents of files once, in all projects",
      "drops the oldest contents of a project, which can then be collected",
    ],
    open: replacing((storage) => ({
      async *readMessages(id, query) {
        for await (const { info, parts } of storage.readMessages(id, query)) {
          yield { info, parts: parts.filter((part) => part.type !== "tool") }
        }
      },
    })),
  },
  {
    fault: "lists all sessions in one project",
    breaks: ["drops nothing within the limit"],
    open: replacing((storage) => ({
      async *listSessions(query) {
        for await (const session of storage.listSessions(query)) yield { ...session, projectID: "one" }
      },
    })),
  },
  {
    fault: "lists sessions without their undos",
    breaks: ["keeps the contents of an undo that can be taken back"],
    open: replacing((storage) => ({
      async *listSessions(query) {
        for await (const { undo: _, ...session } of storage.listSessions(query)) yield session
      },
    })),
  },
  {
    fault: "gives out a session that is at work",
    breaks: ["leaves sessions at work alone"],
    open: replacing((storage) => ({
      async acquire(id, owner, ttl) {
        const lease = await storage.acquire(id, owner, ttl)
        return lease ?? { token: { owner, epoch: 0 } as never, renew: async () => {}, release: async () => {} }
      },
      commit: async (id, writes) => storage.commit(id, writes),
    })),
  },
]
