import { createHash } from "node:crypto"
import { StorageError } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

const idOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** Tells something else of what it collected. */
function telling(change: (freed: { blobs: number; bytes: number }) => { blobs: number; bytes: number }): Fault["open"] {
  return replacing((storage) => ({ gc: async (options) => change(await storage.gc(options)) }))
}

export const collectingBlobs: readonly Fault[] = [
  {
    fault: "collects nothing",
    breaks: [
      "removes what nothing refers to",
      "tells how many blobs and bytes it removed",
      "counts every byte of a large blob",
      "removes each of hundreds of blobs once, though asked twice at once",
    ],
    open: replacing(() => ({ gc: async () => ({ blobs: 0, bytes: 0 }) })),
  },
  {
    fault: "counts the bytes of pieces",
    breaks: ["tells how many blobs and bytes it removed", "counts every byte of a large blob"],
    open: telling(({ blobs, bytes }) => ({ blobs, bytes: Math.ceil(bytes / 4096) * 4096 })),
  },
  {
    fault: "counts pieces as blobs",
    breaks: ["counts every byte of a large blob"],
    open: telling(({ blobs, bytes }) => ({ blobs: Math.max(blobs, Math.ceil(bytes / 262_144)), bytes })),
  },
  {
    fault: "collects young blobs",
    breaks: ["keeps blobs of the last day by default"],
    open: replacing((storage) => ({ gc: async () => storage.gc({ minAge: 0 }) })),
  },
  {
    fault: "keeps the age of a blob that is put again",
    breaks: ["takes a blob that is put again for young"],
    open: replacing((storage) => ({
      blobs: {
        ...storage.blobs,
        put: async (bytes) => ((await storage.blobs.get(idOf(bytes))) ? idOf(bytes) : storage.blobs.put(bytes)),
      },
    })),
  },
  {
    fault: "takes a blob that it has collected for stored",
    breaks: ["takes back what was removed"],
    open: replacing((storage) => {
      const known = new Set<string>()
      return {
        blobs: {
          ...storage.blobs,
          put: async (bytes) => {
            const id = idOf(bytes)
            if (!known.has(id)) await storage.blobs.put(bytes)
            known.add(id)
            return id
          },
        },
      }
    }),
  },
  {
    fault: "cannot collect nothing",
    breaks: ["does nothing in a storage without blobs"],
    open: telling((freed) => {
      if (freed.blobs === 0) throw new StorageError("There is no blob.")
      return freed
    }),
  },
  {
    fault: "tells everybody who asks of one collection",
    breaks: ["removes each of hundreds of blobs once, though asked twice at once"],
    open: replacing((storage) => {
      let running: ReturnType<typeof storage.gc> | undefined
      return { gc: (options) => (running ??= storage.gc(options)) }
    }),
  },
  {
    fault: "collects whatever the signal says",
    breaks: ["stops collecting when the signal has aborted, with its reason"],
    open: replacing((storage) => ({ gc: async ({ minAge = 86_400_000 } = {}) => storage.gc({ minAge }) })),
  },
]
