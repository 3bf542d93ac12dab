import { setTimeout as sleep } from "node:timers/promises"
import { expect } from "vitest"
import { blobID, keptBlobs, storeReference } from "../blob-records.ts"
import { sessionID } from "../samples.ts"
import { type SpecContext, section } from "../section.ts"

const session = sessionID(1)

async function put({ storage }: SpecContext, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await storage.blobs.put(Buffer.from(text))
}

export const collectingBlobs = section("collecting blobs", {
  "removes what nothing refers to": async (place) => {
    const { storage } = place
    await put(place, "loose")
    await storeReference(storage, session, ["held"])
    await storage.gc({ minAge: 0 })
    expect(await keptBlobs(storage, ["loose", "held"])).toEqual(["held"])
    expect(await storage.blobs.get(blobID("loose"))).toBeUndefined()
  },
  "tells how many blobs and bytes it removed": async (place) => {
    const { storage } = place
    await put(place, "four", "twelve bytes", "four", "größer", "")
    await storeReference(storage, session, ["held"])
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 4, bytes: 24 })
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 0, bytes: 0 })
    expect((await storage.stats()).records.blob).toEqual({ count: 1, bytes: 4 })
  },
  "counts every byte of a large blob": async ({ storage }) => {
    const bytes = Buffer.alloc(700_001, "0123456789")
    const id = await storage.blobs.put(bytes)
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 700_001 })
    expect(await storage.blobs.get(id)).toBeUndefined()
  },
  "keeps blobs of the last day by default": async (place) => {
    const { storage } = place
    await put(place, "young")
    for (const options of [undefined, {}, { minAge: 86_400_000 }, { minAge: 3_600_000 }]) {
      expect(await storage.gc(options)).toEqual({ blobs: 0, bytes: 0 })
    }
    expect(await keptBlobs(storage, ["young"])).toEqual(["young"])
  },
  "takes a blob that is put again for young": async (place) => {
    const { storage } = place
    // On a slow machine the blob may already be old again when the storage checks it, so try a longer age.
    for (let minAge = 40; minAge < 10_000; minAge *= 2) {
      await put(place, "again", "once")
      await sleep(minAge + 20)
      const start = performance.now()
      await put(place, "again")
      expect((await storage.gc({ minAge })).blobs).toBeGreaterThan(0)
      const kept = await keptBlobs(storage, ["again", "once"])
      if (performance.now() - start < minAge / 2) return expect(kept).toEqual(["again"])
    }
    throw new Error("Two calls took longer than 5 seconds, nine times.")
  },
  "takes back what was removed": async (place) => {
    const { storage } = place
    await put(place, "back")
    await storage.gc({ minAge: 0 })
    await storeReference(storage, session, ["back"])
    expect(await keptBlobs(storage, ["back"])).toEqual(["back"])
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 0, bytes: 0 })
    expect(await keptBlobs(storage, ["back"])).toEqual(["back"])
  },
  "does nothing in a storage without blobs": async ({ storage }) => {
    expect(await storage.gc()).toEqual({ blobs: 0, bytes: 0 })
    expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 0, bytes: 0 })
  },
  "removes each of hundreds of blobs once, though asked twice at once": async (place) => {
    const { storage } = place
    const texts = Array.from({ length: 150 }, (_, index) => `blob ${index}`)
    await put(place, ...texts)
    const removed = await Promise.all([storage.gc({ minAge: 0 }), storage.gc({ minAge: 0 })])
    expect(removed.map(({ blobs }) => blobs).reduce((sum, count) => sum + count)).toBe(150)
    expect(await keptBlobs(storage, texts)).toEqual([])
  },
  "stops collecting when the signal has aborted, with its reason": async (place) => {
    await put(place, "loose")
    const collecting = place.storage.gc({ minAge: 0, signal: AbortSignal.abort(new Error("enough")) })
    await expect(collecting).rejects.toThrow("enough")
    expect(await place.storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 5 })
  },
})
