import { createHash } from "node:crypto"
import type { BlobStore } from "@pawl/core/storage"

const DAY_MS = 86_400_000

export interface Blobs extends BlobStore {
  has(id: string): boolean
  sizes(): number[]
  /** Removes blobs that are not kept and were put at least `minAge` milliseconds ago. */
  removeUnless(isKept: (id: string) => boolean, minAge?: number): { blobs: number; bytes: number }
}

export function createBlobs(assertOpen: () => void): Blobs {
  const blobs = new Map<string, { readonly bytes: Uint8Array; readonly put: number }>()
  return {
    async put(bytes) {
      assertOpen()
      const id = createHash("sha256").update(bytes).digest("hex")
      blobs.set(id, { bytes: blobs.get(id)?.bytes ?? new Uint8Array(bytes), put: performance.now() })
      return id
    },
    async get(id) {
      assertOpen()
      const blob = blobs.get(id)
      return blob && new Uint8Array(blob.bytes)
    },
    has: (id) => blobs.has(id),
    sizes: () => [...blobs.values()].map(({ bytes }) => bytes.length),
    removeUnless(isKept, minAge = DAY_MS) {
      const freed = { blobs: 0, bytes: 0 }
      for (const [id, { bytes, put }] of blobs) {
        if (isKept(id) || performance.now() - put < minAge) continue
        blobs.delete(id)
        freed.blobs++
        freed.bytes += bytes.length
      }
      return freed
    },
  }
}
