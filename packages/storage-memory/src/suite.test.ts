import type { Session, Storage, Write } from "@pawl/core"
import { runSpec, storageSections, testStorage } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { memoryStorage } from "./memory-storage.ts"

/** A storage with one fault, and the spec that must notice it. */
type Fault = [spec: string, fault: (storage: Storage) => Partial<Storage>]

const withText = (writes: readonly Write[], change: (json: string) => string) => {
  return writes.map((write) => JSON.parse(change(JSON.stringify(write))) as Write)
}

const faults: Fault[] = [
  [
    "keeps lone surrogates",
    (storage) => ({
      commit: (id, writes, lease) => {
        const wellFormed = (json: string) => json.replaceAll(/\\ud[89a-f]../g, "\ufffd")
        return storage.commit(id, withText(writes, wellFormed), lease)
      },
    }),
  ],
  [
    "keeps NUL and other control characters",
    (storage) => ({
      commit: (id, writes, lease) => {
        return storage.commit(
          id,
          withText(writes, (json) => json.replaceAll(String.raw`\u0000`, "")),
          lease,
        )
      },
    }),
  ],
  [
    "keeps what was committed when a reader changes what it got",
    (storage) => {
      const known = new Map<string, Session | undefined>()
      return {
        getSession: async (id) => {
          if (!known.has(id)) known.set(id, await storage.getSession(id))
          return known.get(id)
        },
      }
    },
  ],
  [
    "keeps what was committed when the caller changes it afterwards",
    (storage) => ({
      commit: async (id, writes, lease) => {
        await Promise.resolve()
        return storage.commit(id, writes, lease)
      },
    }),
  ],
  [
    "reads messages newest first",
    (storage) => ({
      readMessages: async function* (id) {
        yield* (await storage.readContext(id)).messages
      },
    }),
  ],
  [
    "removes a field that is set to undefined",
    (storage) => ({
      commit: (id, writes, lease) =>
        storage.commit(
          id,
          withText(writes, (json) => json),
          lease,
        ),
    }),
  ],
  [
    "refuses a part without its message and leaves nothing of the commit",
    (storage) => ({
      commit: async (id, writes, lease) => {
        let revision = 0
        for (const write of writes) revision = await storage.commit(id, [write], lease)
        return revision
      },
    }),
  ],
  [
    "counts a commit that changes nothing",
    (storage) => ({
      commit: async (id, writes, lease) => {
        return writes.length > 0 ? storage.commit(id, writes, lease) : (await storage.readContext(id)).revision
      },
    }),
  ],
  [
    "tells of a removed part",
    (storage) => ({
      readChanges: async (id, after) => {
        const changes = await storage.readChanges(id, after)
        return changes.filter(({ type }) => type !== "part.remove" && type !== "message.remove")
      },
    }),
  ],
  ["reads only what came after", (storage) => ({ readChanges: (id) => storage.readChanges(id, 0) })],
  [
    "is in order of revision, and as written within one",
    (storage) => ({
      readChanges: async (id, after) => (await storage.readChanges(id, after)).toReversed(),
    }),
  ],
  [
    "reads the context from the boundary on, the message there included",
    (storage) => ({
      readContext: async (id) => {
        const context = await storage.readContext(id)
        const messages = []
        for await (const message of storage.readMessages(id)) messages.unshift(message)
        return { ...context, messages }
      },
    }),
  ],
  [
    "takes % and _ and other signs in titles as they are",
    (storage) => ({
      listSessions: async function* ({ title, ...query } = {}) {
        const pattern = new RegExp(
          (title ?? "")
            .replaceAll("%", ".*")
            .replaceAll("_", ".")
            .replaceAll(/[\\*[]/g, "."),
          "i",
        )
        for await (const session of storage.listSessions(query)) if (pattern.test(session.title)) yield session
      },
    }),
  ],
  [
    "ignores case in titles beyond ASCII",
    (storage) => ({
      listSessions: async function* ({ title, ...query } = {}) {
        const lower = (text = "") => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
        for await (const session of storage.listSessions(query))
          if (lower(session.title).includes(lower(title))) yield session
      },
    }),
  ],
  [
    "removes every session below it and no other",
    (storage) => ({
      removeSession: async (id) => {
        for await (const { id: child } of storage.listSessions({ parentID: id })) {
          await storage.commit(child, [{ type: "session.patch", changes: { parentID: undefined } }])
        }
        return storage.removeSession(id)
      },
    }),
  ],
  [
    "rejects a stale owner's commit and writes nothing of it",
    (storage) => ({
      commit: (id, writes) => storage.commit(id, writes),
    }),
  ],
  [
    "rejects a token of another session",
    (storage) => ({
      commit: (id, writes, lease) => storage.commit(id, writes, lease && { ...lease, sessionID: id }),
    }),
  ],
  [
    "refuses a second owner while the first holds it",
    (storage) => ({
      acquire: (id, _, ttl) => storage.acquire(id, "everybody", ttl),
    }),
  ],
  [
    "ends when its time passes without renewal",
    (storage) => {
      let attempts = 0
      return {
        acquire: async (id, owner) => {
          if (++attempts > 20) throw new Error("Still held.")
          return storage.acquire(id, owner, 1_000_000)
        },
      }
    },
  ],
  [
    "starts at the call, not with the history and not with the first read",
    (storage) => ({
      watch: async function* (filter, signal) {
        yield* storage.watch(filter, AbortSignal.any([signal, AbortSignal.timeout(100)]))
      },
    }),
  ],
  [
    "keeps the bytes when the caller uses the buffer again",
    (storage) => {
      const blobs = new Map<string, Uint8Array>()
      return {
        blobs: {
          put: async (bytes) => {
            const id = await storage.blobs.put(bytes)
            blobs.set(id, bytes)
            return id
          },
          get: async (id) => blobs.get(id),
        },
      }
    },
  ],
  ["refuses every call once closed", () => ({ close: async () => {} })],
]

it.each(faults)("the suite notices when a storage breaks %s", async (name, fault) => {
  const specs = storageSections.flatMap((section) => section.specs).filter((spec) => spec.name === name)
  expect(specs).toHaveLength(1)
  const open = () => {
    const storage = memoryStorage()
    return { ...storage, ...fault(storage) }
  }
  for (const spec of specs) {
    await runSpec(spec, memoryStorage)
    await expect(runSpec(spec, open)).rejects.toThrow(Error)
  }
})

it("has a name of its own for every spec and section", () => {
  const names = storageSections.flatMap(({ title, specs }) => [title, ...specs.map(({ name }) => name)])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it("refuses to skip what it does not know, or without a reason", () => {
  const skip = (spec: string, reason: string) => () => {
    testStorage("memory", { open: memoryStorage, skip: [{ spec, reason }] })
  }
  expect(skip("two writers", "one process only")).toThrow('"two writers" is to be skipped, but no spec or section')
  expect(skip("blobs", " ")).toThrow('"blobs" is to be skipped without a reason')
})
