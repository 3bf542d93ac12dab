import { NotFoundError, type Session, type MaintainedStorage } from "@pawl/core/storage"
import { memoryStorage } from "../../src/memory-storage.ts"
import { collect, type Fault, replacing } from "../fault.ts"

async function childrenOf(storage: MaintainedStorage, parentID: Session["id"]): Promise<Session[]> {
  return collect(storage.listSessions({ parentID }))
}

export const removal: readonly Fault[] = [
  {
    fault: "keeps the sessions below a removed one",
    breaks: ["removes every session below it and no other"],
    open: replacing((storage) => ({
      removeSession: async (id) => {
        for (const { id: child } of await childrenOf(storage, id)) {
          await storage.commit(child, [{ type: "session.patch", changes: { parentID: undefined } }])
        }
        return storage.removeSession(id)
      },
    })),
  },
  {
    fault: "removes what is below a session that is not there",
    breaks: ["leaves the children of a session that was never stored"],
    open: replacing((storage) => ({
      removeSession: async (id) => {
        for (const { id: child } of await childrenOf(storage, id)) await storage.removeSession(child)
        return storage.removeSession(id)
      },
    })),
  },
  {
    fault: "removes the parent as well",
    breaks: ["keeps the parent when a child is removed"],
    open: replacing((storage) => ({
      removeSession: async (id) => storage.removeSession((await storage.getSession(id))?.parentID ?? id),
    })),
  },
  {
    fault: "gives up where sessions are each other's parents",
    breaks: ["ends where sessions are each other's parents"],
    open: replacing((storage) => {
      const removeTree = async (id: Session["id"], depth: number): Promise<void> => {
        if (depth > 100) throw new Error("Too deep.")
        for (const child of await childrenOf(storage, id)) await removeTree(child.id, depth + 1)
        await storage.removeSession(id)
      }
      return { removeSession: (id) => removeTree(id, 0) }
    }),
  },
  {
    fault: "refuses to remove what is not there",
    breaks: ["does nothing without such a session, or when asked again"],
    open: replacing((storage) => ({
      removeSession: async (id) => {
        await storage.readContext(id)
        return storage.removeSession(id)
      },
    })),
  },
  {
    fault: "keeps the messages of a removed session",
    breaks: ["removes a session with its messages and parts"],
    open: replacing((storage) => {
      const copy = memoryStorage()
      return {
        commit: async (id, writes, lease) => {
          await copy.commit(id, writes).catch(() => {})
          return storage.commit(id, writes, lease)
        },
        readMessages: (id, query) => copy.readMessages(id, query),
      }
    }),
  },
  {
    fault: "hides a removed session until it is stored again",
    breaks: ["starts at revision 1 when the same id is stored again", "ends the lease on a removed session"],
    open: replacing((storage) => {
      const hidden = new Set<Session["id"]>()
      const requireShown = (id: Session["id"]) => {
        if (hidden.has(id)) throw new NotFoundError(`Session ${id} does not exist.`)
      }
      return {
        removeSession: async (id) => void hidden.add(id),
        commit: async (id, writes, lease) => {
          if (writes[0]?.type === "session.put") hidden.delete(id)
          requireShown(id)
          return storage.commit(id, writes, lease)
        },
        getSession: async (id) => (hidden.has(id) ? undefined : storage.getSession(id)),
        readContext: async (id) => {
          requireShown(id)
          return storage.readContext(id)
        },
      }
    }),
  },
  {
    fault: "makes a removed session anew for a write to it",
    breaks: ["refuses writes to a removed session"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => storage.commit(id, writes, lease).catch(() => 1),
    })),
  },
  {
    fault: "counts epochs from 1 when an id is stored again",
    breaks: ["takes nothing by a lease on a removed session once another has its id"],
    open: replacing((storage) => {
      const before = new Map<string, number>()
      const current = new Map<string, number>()
      return {
        removeSession: async (id) => {
          before.set(id, current.get(id) ?? 0)
          return storage.removeSession(id)
        },
        acquire: async (id, owner, ttl) => {
          const lease = await storage.acquire(id, owner, ttl)
          if (!lease) return undefined
          current.set(id, lease.token.epoch)
          return { ...lease, token: { ...lease.token, epoch: lease.token.epoch - (before.get(id) ?? 0) } }
        },
        commit: async (id, writes, lease) => {
          return storage.commit(id, writes, lease && { ...lease, epoch: lease.epoch + (before.get(id) ?? 0) })
        },
      }
    }),
  },
  {
    fault: "keeps the message whose parts it removes",
    breaks: ["removes a message with its parts"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) =>
        storage.commit(
          id,
          writes.filter(({ type }) => type !== "message.remove"),
          lease,
        ),
    })),
  },
  {
    fault: "removes the message of a removed part",
    breaks: ["removes one part"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        const whole = writes.map((write) => {
          return write.type === "part.remove" ? { type: "message.remove" as const, messageID: write.messageID } : write
        })
        return storage.commit(id, whole, lease)
      },
    })),
  },
  {
    fault: "removes blobs with the session",
    breaks: ["keeps blobs, which sessions share"],
    open: replacing((storage) => {
      let removed = false
      return {
        removeSession: async (id) => {
          removed = true
          return storage.removeSession(id)
        },
        blobs: { ...storage.blobs, get: async (id) => (removed ? undefined : storage.blobs.get(id)) },
      }
    }),
  },
]
