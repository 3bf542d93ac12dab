import { createHash } from "node:crypto"
import { type BlobStore, StorageError } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

const PIECE = 256 * 1024

const idOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

function storing(replace: (blobs: BlobStore) => Partial<BlobStore>): Fault["open"] {
  return replacing(({ blobs }) => ({ blobs: { ...blobs, ...replace(blobs) } }))
}

export const largeBlobs: readonly Fault[] = [
  {
    fault: "refuses commits while a blob is put",
    breaks: ["commits and reads while 20 MB are put"],
    open: replacing((storage) => {
      let putting = 0
      return {
        blobs: {
          ...storage.blobs,
          put: async (bytes) => {
            putting++
            await new Promise(setImmediate)
            putting--
            return storage.blobs.put(bytes)
          },
        },
        commit: async (id, writes, lease) => {
          if (putting > 0) throw new StorageError("locked")
          return storage.commit(id, writes, lease)
        },
      }
    }),
  },
  {
    fault: "shows the pieces of a blob as they come",
    breaks: ["shows a blob only when it is whole"],
    open: storing(() => {
      const there = new Map<string, Uint8Array>()
      return {
        put: async (bytes) => {
          for (let end = PIECE; end < bytes.length + PIECE; end += PIECE) {
            there.set(idOf(bytes), bytes.slice(0, end))
            await new Promise(setImmediate)
          }
          return idOf(bytes)
        },
        get: async (id) => there.get(id),
      }
    }),
  },
  {
    fault: "loses a last piece of one byte",
    breaks: ["keeps blobs that end with a piece of 256 KB, one byte before or one behind"],
    open: storing((blobs) => ({
      get: async (id) => {
        const bytes = await blobs.get(id)
        return bytes && bytes.length % PIECE === 1 ? bytes.subarray(0, -1) : bytes
      },
    })),
  },
  {
    fault: "keeps one blob for all that begin with the same piece",
    breaks: ["knows blobs apart that begin or end alike"],
    open: storing(() => {
      const [named, kept] = [new Map<string, string>(), new Map<string, Uint8Array>()]
      return {
        put: async (bytes) => {
          const first = idOf(bytes.subarray(0, PIECE))
          named.set(idOf(bytes), first)
          if (!kept.has(first)) kept.set(first, bytes)
          return idOf(bytes)
        },
        get: async (id) => kept.get(named.get(id) ?? ""),
      }
    }),
  },
  {
    fault: "counts what is put at once as often as it is put",
    breaks: ["keeps one of the same large bytes that are put at once"],
    open: replacing((storage) => {
      let [count, bytes] = [0, 0]
      return {
        blobs: {
          ...storage.blobs,
          put: async (blob) => {
            count++
            bytes += blob.length
            return storage.blobs.put(blob)
          },
        },
        stats: async () => {
          const stats = await storage.stats()
          return { ...stats, records: { ...stats.records, blob: { count, bytes } } }
        },
      }
    }),
  },
  {
    fault: "puts 100 blobs at once",
    breaks: ["keeps hundreds of blobs that are put at once"],
    open: storing((blobs) => {
      let running = 0
      return {
        put: async (bytes) => {
          if (++running > 100) throw new StorageError("Too many files are open.")
          await new Promise(setImmediate)
          running--
          return blobs.put(bytes)
        },
      }
    }),
  },
]
