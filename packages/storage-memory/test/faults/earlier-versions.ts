import { type Fault, replacing } from "../fault.ts"

export const earlierVersions: readonly Fault[] = [
  {
    fault: "takes over nothing but the last messages",
    breaks: ["reads everything that they wrote"],
    open: replacing((storage) => ({ readMessages: (id) => storage.readMessages(id, { limit: 1 }) })),
  },
  {
    fault: "loses the record when it is opened for the third time",
    breaks: ["reads it again when opened again, and from two handles"],
    open: (open) => {
      const opened = new Map<string, number>()
      return (location) => {
        const times = (opened.get(location) ?? 0) + 1
        opened.set(location, times)
        return open(times === 3 ? `${location}-lost` : location)
      }
    },
  },
  {
    fault: "begins to count anew",
    breaks: ["continues what they wrote"],
    open: replacing((storage) => {
      let revision = 0
      return {
        commit: async (id, writes, lease) => {
          await storage.commit(id, writes, lease)
          return ++revision
        },
      }
    }),
  },
  {
    fault: "finds only what it has written itself",
    breaks: ["finds, counts and keeps what they wrote, and has nothing to say of it"],
    open: replacing(() => ({ search: async function* () {} })),
  },
  {
    fault: "does not know what earlier versions referred to",
    breaks: ["finds, counts and keeps what they wrote, and has nothing to say of it"],
    open: replacing((storage) => {
      let collected = false
      return {
        gc: async (options) => {
          collected = true
          return storage.gc(options)
        },
        blobs: { ...storage.blobs, get: async (id) => (collected ? undefined : storage.blobs.get(id)) },
      }
    }),
  },
]
