import { NotFoundError, StorageError } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

export const closing: readonly Fault[] = [
  {
    fault: "goes on when closed",
    breaks: ["refuses every call once closed", "says what is closed"],
    open: replacing(() => ({ close: async () => {} })),
  },
  {
    fault: "can be closed once",
    breaks: ["does nothing when closed twice"],
    open: replacing((storage) => {
      let closed = false
      return {
        close: async () => {
          if (closed) throw new StorageError("closed")
          closed = true
          return storage.close()
        },
      }
    }),
  },
  {
    fault: "does not say what is closed",
    breaks: ["says what is closed"],
    open: replacing((storage) => ({
      getSession: async (id) => {
        return storage.getSession(id).catch(() => Promise.reject(new StorageError("closed")))
      },
    })),
  },
  {
    fault: "knows nothing once closed",
    breaks: ["refuses every call once closed"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        return storage.readContext(id).catch(() => Promise.reject(new NotFoundError(`Session ${id} does not exist.`)))
      },
    })),
  },
  {
    fault: "searches and collects once closed",
    breaks: ["refuses every call once closed"],
    open: replacing(() => ({ search: async function* () {}, gc: async () => ({ blobs: 0, bytes: 0 }) })),
  },
  {
    fault: "drops what was asked for before",
    breaks: ["finishes the commits that were asked for before"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        await new Promise(setImmediate)
        return storage.commit(id, writes, lease)
      },
    })),
  },
  {
    fault: "has no name",
    breaks: ["names itself"],
    open: replacing(() => ({ location: "" })),
  },
]
