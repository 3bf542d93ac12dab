import { createHash, randomUUID } from "node:crypto"
import type { BlobStore } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

function storing(replace: (blobs: BlobStore) => Partial<BlobStore>): Fault["open"] {
  return replacing(({ blobs }) => ({ blobs: { ...blobs, ...replace(blobs) } }))
}

export const blobs: readonly Fault[] = [
  {
    fault: "names blobs by chance",
    breaks: ["names bytes by their SHA-256", "takes the same bytes again"],
    open: storing((blobs) => ({
      put: async (bytes) => {
        await blobs.put(bytes)
        return randomUUID()
      },
    })),
  },
  {
    fault: "keeps bytes as text",
    breaks: ["returns the bytes as they were"],
    open: storing((blobs) => ({
      get: async (id) => {
        const bytes = await blobs.get(id)
        return bytes && Buffer.from(Buffer.from(bytes).toString("utf8"))
      },
    })),
  },
  {
    fault: "refuses bytes that it has",
    breaks: ["takes the same bytes again"],
    open: storing((blobs) => {
      const known = new Set<string>()
      return {
        put: async (bytes) => {
          const id = await blobs.put(bytes)
          if (known.has(id)) throw new Error(`Blob ${id} exists.`)
          known.add(id)
          return id
        },
      }
    }),
  },
  {
    fault: "has empty bytes for what was never put",
    breaks: ["knows nothing of bytes that were never put"],
    open: storing((blobs) => ({ get: async (id) => (await blobs.get(id)) ?? new Uint8Array() })),
  },
  {
    fault: "takes an empty blob for none",
    breaks: ["keeps an empty blob"],
    open: storing((blobs) => ({
      get: async (id) => {
        const bytes = await blobs.get(id)
        return bytes?.length ? bytes : undefined
      },
    })),
  },
  {
    fault: "keeps 1 MB",
    breaks: ["keeps a blob of 3 MB"],
    open: storing((blobs) => ({ get: async (id) => (await blobs.get(id))?.subarray(0, 1_000_000) })),
  },
  {
    fault: "takes the whole buffer of a view",
    breaks: ["takes only the bytes of a view on a larger buffer"],
    open: storing((blobs) => ({ put: async (bytes) => blobs.put(new Uint8Array(bytes.buffer)) })),
  },
  {
    fault: "keeps the caller's buffer",
    breaks: ["keeps the bytes when the caller uses the buffer again"],
    open: storing(() => {
      const kept = new Map<string, Uint8Array>()
      return {
        put: async (bytes) => {
          const id = createHash("sha256").update(bytes).digest("hex")
          kept.set(id, bytes)
          return id
        },
        get: async (id) => kept.get(id),
      }
    }),
  },
]
