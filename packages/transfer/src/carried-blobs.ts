import { blobReferences, type Storage } from "@pawl/core/storage"
import { sha256 } from "./record-hash.ts"

/** Maximum number of remembered ids. Copying a blob again does no harm. */
const REMEMBERED = 100_000

type ReadBlob = (id: string) => Promise<Uint8Array | undefined>

export interface CarriedBlobs {
  /** Copies every blob that the value refers to, unless it was copied already. */
  carry(value: unknown, readBlob: ReadBlob): Promise<void>
  /** Checks every blob that the value refers to in the target, and copies missing or damaged ones. */
  verify(value: unknown, readBlob: ReadBlob): Promise<void>
  /** Number and size of the copied blobs. */
  readonly counts: { blobs: number; bytes: number }
  /** Ids of blobs whose content does not match their id. They are not copied. */
  readonly damaged: ReadonlySet<string>
}

export function createCarriedBlobs(to: Pick<Storage, "blobs">): CarriedBlobs {
  const carried = new Set<string>()
  const verified = new Set<string>()
  const damaged = new Set<string>()
  const counts = { blobs: 0, bytes: 0 }

  async function carryOne(id: string, content: Uint8Array | undefined): Promise<void> {
    if (!content) return
    if (sha256(content) !== id) {
      damaged.add(id)
      return
    }
    await to.blobs.put(content)
    counts.blobs++
    counts.bytes += content.length
  }

  return {
    counts,
    damaged,
    async carry(value, readBlob) {
      for (const id of blobReferences(JSON.stringify(value))) {
        if (carried.has(id)) continue
        await carryOne(id, await readBlob(id))
        remember(carried, id)
      }
    },
    async verify(value, readBlob) {
      for (const id of blobReferences(JSON.stringify(value))) {
        if (verified.has(id)) continue
        const stored = await to.blobs.get(id)
        if (!stored || sha256(stored) !== id) await carryOne(id, await readBlob(id))
        remember(verified, id)
      }
    },
  }
}

function remember(ids: Set<string>, id: string): void {
  if (ids.size >= REMEMBERED) ids.clear()
  ids.add(id)
}
