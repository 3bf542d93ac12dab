import { blobReferences as referencesIn, type MaintainedStorage, type Write } from "@pawl/core/storage"
import { collect, type Fault } from "../fault.ts"
import { collectingBy, collectingWith, currentReferences } from "../own-collection.ts"

async function partsOf(storage: MaintainedStorage) {
  const sessions = await collect(storage.listSessions())
  const messages = await Promise.all(sessions.map(({ id }) => collect(storage.readMessages(id))))
  return messages.flat().flatMap(({ parts }) => parts)
}

/** Takes notes of the writes of each commit, and collects by them too. */
function noting(
  note: (notes: Set<string>, writes: readonly Write[], storage: MaintainedStorage) => Promise<void>,
): Fault["open"] {
  return collectingWith((storage) => {
    const notes = new Set<string>()
    return {
      referenced: async () => [...notes],
      commit: async (id, writes, lease) => {
        await note(notes, writes, storage)
        return storage.commit(id, writes, lease)
      },
    }
  })
}

export const blobReferences: readonly Fault[] = [
  {
    fault: "looks for references in texts and metadata",
    breaks: ["keeps what parts refer to, in each form"],
    open: collectingBy(async (storage) => {
      const parts = await partsOf(storage)
      return referencesIn(JSON.stringify(parts.filter(({ type }) => type === "text")))
    }),
  },
  {
    fault: "knows ids alone",
    breaks: ["keeps what parts refer to, in each form", "keeps what sessions and messages refer to"],
    open: collectingBy(async (storage) => {
      const json = JSON.stringify([await collect(storage.listSessions()), await partsOf(storage)])
      return referencesIn(json.replaceAll('"blob:', '"other:'))
    }),
  },
  {
    fault: "looks for references in parts only",
    breaks: ["keeps what sessions and messages refer to"],
    open: collectingBy(async (storage) => referencesIn(JSON.stringify(await partsOf(storage)))),
  },
  {
    fault: "takes whatever looks like an id for a reference",
    breaks: ["takes no other text for a reference"],
    open: collectingBy(async (storage) => JSON.stringify(await partsOf(storage)).match(/[0-9a-f]{64}/g) ?? []),
  },
  {
    fault: "counts references of one session",
    breaks: ["keeps a blob of two sessions until both are removed", "keeps a fork's blobs when its origin is removed"],
    open: collectingWith((storage) => {
      const gone = new Set<string>()
      return {
        referenced: async () => (await currentReferences(storage)).filter((id) => !gone.has(id)),
        removeSession: async (id) => {
          for (const blob of await currentReferences(storage)) gone.add(blob)
          return storage.removeSession(id)
        },
      }
    }),
  },
  {
    fault: "never forgets a reference",
    breaks: [
      "keeps a blob of two sessions until both are removed",
      "keeps a fork's blobs when its origin is removed",
      "lets the blobs of every session go that is removed with another",
      "lets a blob go when its part is written again without it, or removed",
      "lets a blob go when its session is patched, or its message written again",
      "keeps a blob until the last of its references is gone",
      "counts a reference that was there before the blob, or comes back",
      "counts no reference of a commit that failed",
    ],
    open: noting(async (notes, writes) => {
      for (const id of referencesIn(JSON.stringify(writes))) notes.add(id)
    }),
  },
  {
    fault: "forgets a reference with the first part that had it",
    breaks: ["keeps a blob until the last of its references is gone"],
    open: noting(async (notes, writes, storage) => {
      for (const id of referencesIn(JSON.stringify(writes))) notes.add(id)
      const removed = new Set(writes.map((write) => (write.type === "part.remove" ? write.partID : "")))
      const parts = (await partsOf(storage)).filter(({ id }) => removed.has(id))
      for (const id of referencesIn(JSON.stringify(parts))) notes.delete(id)
    }),
  },
  {
    fault: "counts references only to blobs that are there",
    breaks: ["counts a reference that was there before the blob, or comes back"],
    open: noting(async (notes, writes, storage) => {
      for (const id of referencesIn(JSON.stringify(writes))) if (await storage.blobs.get(id)) notes.add(id)
    }),
  },
]
