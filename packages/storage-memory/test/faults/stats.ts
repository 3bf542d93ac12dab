import type { StorageStats } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

type Kind = keyof StorageStats["records"]

/** Counts kinds of records in another way. */
function counting(count: (stats: StorageStats) => Partial<StorageStats["records"]>): Fault["open"] {
  return replacing((storage) => ({
    stats: async () => {
      const stats = await storage.stats()
      return { ...stats, records: { ...stats.records, ...count(stats) } }
    },
  }))
}

const kinds: Readonly<Record<string, Kind>> = { session: "session", message: "message", part: "part" }

export const stats: readonly Fault[] = [
  {
    fault: "counts its own record of itself",
    breaks: ["counts nothing in a new storage"],
    open: counting(({ records: { session } }) => ({
      session: { count: session.count + 1, bytes: session.bytes + 60 },
    })),
  },
  {
    fault: "counts parts with their messages",
    breaks: ["counts records of each kind, and the bytes of their JSON"],
    open: counting(({ records: { message, part } }) => ({
      message: { count: message.count, bytes: message.bytes + part.bytes },
    })),
  },
  {
    fault: "counts characters for bytes",
    breaks: ["counts records of each kind, and the bytes of their JSON"],
    open: replacing((storage) => {
      let multibyte = 0
      return {
        commit: async (id, writes, lease) => {
          const json = JSON.stringify(writes.filter(({ type }) => type === "session.put"))
          multibyte += Buffer.byteLength(json) - json.length
          return storage.commit(id, writes, lease)
        },
        stats: async () => {
          const stats = await storage.stats()
          const { count, bytes } = stats.records.session
          return { ...stats, records: { ...stats.records, session: { count, bytes: bytes - multibyte } } }
        },
      }
    }),
  },
  {
    fault: "counts every write",
    breaks: [
      "counts a record that was written again once, by its last state",
      "counts nothing that was removed",
      "counts nothing of removed sessions and those below them",
    ],
    open: replacing((storage) => {
      const written: Record<Kind, { count: number; bytes: number }> = {
        session: { count: 0, bytes: 0 },
        message: { count: 0, bytes: 0 },
        part: { count: 0, bytes: 0 },
        blob: { count: 0, bytes: 0 },
      }
      return {
        commit: async (id, writes, lease) => {
          for (const write of writes) {
            const kind = kinds[write.type.replace(".put", "")]
            if (!kind) continue
            written[kind].count++
            written[kind].bytes += Buffer.byteLength(JSON.stringify(Object.values(write)[1]))
          }
          return storage.commit(id, writes, lease)
        },
        stats: async () => ({ ...(await storage.stats()), records: written }),
      }
    }),
  },
  {
    fault: "counts a blob each time it is put",
    breaks: ["counts each blob once, with the bytes of its content"],
    open: replacing((storage) => {
      let count = 0
      return {
        blobs: {
          ...storage.blobs,
          put: async (bytes) => {
            count++
            return storage.blobs.put(bytes)
          },
        },
        stats: async () => {
          const stats = await storage.stats()
          return { ...stats, records: { ...stats.records, blob: { ...stats.records.blob, count } } }
        },
      }
    }),
  },
  {
    fault: "does not know what it takes",
    breaks: ["says what the location takes"],
    open: replacing((storage) => ({ stats: async () => ({ ...(await storage.stats()), totalBytes: 0 }) })),
  },
]
