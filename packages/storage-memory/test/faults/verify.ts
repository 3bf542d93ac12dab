import { blobReferences, StorageError, type MaintainedStorage, type StorageProblem } from "@pawl/core/storage"
import { collect, type Fault, replacing } from "../fault.ts"
import { currentReferences } from "../own-collection.ts"

/** Tells of other problems than the storage finds. */
function telling(
  tell: (found: readonly StorageProblem[], storage: MaintainedStorage) => Promise<readonly StorageProblem[]>,
): Fault["open"] {
  return replacing((storage) => ({
    verify: async function* (work) {
      yield* await tell(await collect(storage.verify(work)), storage)
    },
  }))
}

function missing(id: string): StorageProblem {
  return { kind: "reference", subject: id, message: `Blob ${id} is missing.` }
}

const unindexed: StorageProblem = { kind: "derived", subject: "search", message: "The search index is behind." }

export const verify: readonly Fault[] = [
  {
    fault: "finds fault with what is still to be derived",
    breaks: [
      "has nothing to say of a new storage",
      "has nothing to say of a sound one, whatever was written, removed and searched",
    ],
    open: telling(async (found) => [...found, unindexed]),
  },
  {
    fault: "never finds anything",
    breaks: [
      "names a blob that is referred to and missing",
      "names what is missing wherever it is referred to",
      "has nothing more to say when the blob is there",
      "has nothing more to say when the last reference is gone",
    ],
    open: telling(async () => []),
  },
  {
    fault: "does not say which blob is missing",
    breaks: ["names a blob that is referred to and missing"],
    open: telling(async (found) => found.map((problem) => ({ ...problem, message: "A blob is missing." }))),
  },
  {
    fault: "looks into parts only",
    breaks: ["names what is missing wherever it is referred to"],
    open: telling(async (found, storage) => {
      const sessions = await collect(storage.listSessions())
      const messages = await Promise.all(sessions.map(({ id }) => collect(storage.readMessages(id))))
      const held = blobReferences(JSON.stringify(messages.flat().flatMap(({ parts }) => parts)))
      return found.filter(({ subject }) => held.includes(subject))
    }),
  },
  {
    fault: "remembers what was missing once",
    breaks: [
      "has nothing more to say when the blob is there",
      "has nothing more to say when the last reference is gone",
    ],
    open: replacing((storage) => {
      const known = new Map<string, StorageProblem>()
      return {
        verify: async function* (work) {
          for await (const problem of storage.verify(work)) known.set(problem.subject, problem)
          yield* known.values()
        },
      }
    }),
  },
  {
    fault: "takes an unused blob for a problem",
    breaks: ["takes no blob for a problem that nothing refers to"],
    open: replacing((storage) => {
      const stored = new Set<string>()
      return {
        blobs: {
          ...storage.blobs,
          put: async (bytes) => {
            const id = await storage.blobs.put(bytes)
            stored.add(id)
            return id
          },
        },
        verify: async function* (work) {
          yield* storage.verify(work)
          const used = await currentReferences(storage)
          for (const id of stored) if (!used.includes(id)) yield missing(id)
        },
      }
    }),
  },
  {
    fault: "removes what nothing refers to",
    breaks: ["changes nothing"],
    open: replacing((storage) => ({
      verify: async function* (work) {
        await storage.gc({ minAge: 0 })
        yield* storage.verify(work)
      },
    })),
  },
  {
    fault: "reads to the end whatever the signal says",
    breaks: ["stops reading when the signal has aborted, with its reason"],
    open: replacing((storage) => ({ verify: () => storage.verify() })),
  },
  {
    fault: "refuses commits while it verifies",
    breaks: ["commits while it is read, and lets a reader stop early"],
    open: replacing((storage) => {
      let reading = false
      return {
        verify: async function* (work) {
          reading = true
          yield* storage.verify(work)
          reading = false
        },
        commit: async (id, writes, lease) => {
          if (reading) throw new StorageError("locked")
          return storage.commit(id, writes, lease)
        },
      }
    }),
  },
]
