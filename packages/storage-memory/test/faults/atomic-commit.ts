import type { SessionID, Write } from "@pawl/core/storage"
import { committing, type Fault, replacing } from "../fault.ts"

function named(id: SessionID, write: Write): Write {
  if (write.type === "message.put") return { ...write, message: { ...write.message, sessionID: id } }
  if (write.type === "part.put") return { ...write, part: { ...write.part, sessionID: id } }
  return write
}

export const atomicCommit: readonly Fault[] = [
  {
    fault: "commits one write after another",
    breaks: [
      "shows a reader all of a commit or nothing of it",
      "refuses a part without its message and leaves nothing of the commit",
      "brings back what a failing commit had removed",
      "leaves no session behind when its first commit fails",
    ],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        let revision = 0
        for (const write of writes) revision = await storage.commit(id, [write], lease)
        return revision
      },
    })),
  },
  {
    fault: "reads a context in two steps",
    breaks: ["shows a reader all of a commit or nothing of it"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        const { session, revision } = await storage.readContext(id)
        return { ...(await storage.readContext(id)), session, revision }
      },
    })),
  },
  {
    fault: "leaves out the last write",
    breaks: ["stores all writes of a commit together"],
    open: committing((writes) => writes.slice(0, 3)),
  },
  {
    fault: "takes a part for a message that is gone",
    breaks: ["refuses a part whose message the same commit removed"],
    open: committing((writes) => writes.filter((write) => write.type !== "message.remove")),
  },
  {
    fault: "takes a record of any session",
    breaks: ["refuses a record that names another session"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        return storage.commit(
          id,
          writes.map((write) => named(id, write)),
          lease,
        )
      },
    })),
  },
  {
    fault: "leaves out what is not JSON",
    breaks: ["refuses a value that is not JSON and leaves nothing of the commit"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        const known = writes.filter((write) => write.type !== "part.put" || write.part.id !== "prt_000008")
        return storage.commit(id, known, lease)
      },
    })),
  },
  {
    fault: "takes a first write of any kind",
    breaks: ["refuses a first write to a session that does not exist"],
    open: committing((writes) =>
      writes.toSorted((a, b) => Number(b.type === "session.put") - Number(a.type === "session.put")),
    ),
  },
  {
    fault: "fails for good once a commit has failed",
    breaks: ["goes on after a failed commit"],
    open: replacing((storage) => {
      let queue: Promise<unknown> = Promise.resolve()
      return {
        commit: async (id, writes, lease) => {
          const commit = queue.then(() => storage.commit(id, writes, lease))
          queue = commit
          return commit
        },
      }
    }),
  },
]
