import type { Session, MaintainedStorage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { describe, expect, it } from "vitest"
import { failingStorage } from "../test/failing-storage.ts"
import { storages } from "../test/places.ts"
import { everything, longTurn, newID, session, store, turn } from "../test/sessions.ts"
import { copyStorage, type CopySource } from "./copy.ts"

async function source(): Promise<{ storage: MaintainedStorage; sessions: Session[]; blob: string }> {
  const storage = memoryStorage()
  const blob = await storage.blobs.put(Buffer.from("large"))
  const first = session()
  const sessions = [first, session({ parentID: first.id }), session({ title: "Third" })]
  for (const each of sessions) await store(storage, each, [...turn(each.id, "one", { blob }), ...turn(each.id, "two")])
  return { storage, sessions, blob }
}

const later = (stored: Session): Session => ({
  ...stored,
  time: { ...stored.time, updated: stored.time.updated + 1000 },
})

describe.each(storages)("into %s", (_name, open) => {
  it("copies every session with its blobs, and proves it", async () => {
    const { storage, blob } = await source()
    const target = await open()
    const report = await copyStorage(storage, target)
    expect(report).toEqual({
      sessions: { added: 3, updated: 0, unchanged: 0 },
      messages: 12,
      parts: 24,
      blobs: 1,
      bytes: 5,
      verified: 3,
      total: 3,
      left: [],
      damaged: [],
    })
    expect(await everything(target)).toEqual(await everything(storage))
    expect(Buffer.from((await target.blobs.get(blob)) ?? []).toString()).toBe("large")
  })

  it("passes over what is equal and brings what changed up to date", async () => {
    const { storage, sessions } = await source()
    const [first, second, third] = sessions as [Session, Session, Session]
    const target = await open()
    await copyStorage(storage, target)
    const revision = async ({ id }: Session) => (await target.readContext(id)).revision
    const before = await Promise.all(sessions.map(revision))

    const { messages } = await storage.readContext(second.id)
    const [user, assistant] = messages as [(typeof messages)[0], (typeof messages)[0]]
    const part = assistant.parts[0]
    await storage.commit(second.id, [
      { type: "message.put", message: { ...user.info, time: { created: 7 } } as typeof user.info },
      ...(part ? [{ type: "part.remove" as const, messageID: assistant.info.id, partID: part.id }] : []),
      { type: "session.patch", changes: { title: "Changed", time: later(second).time } },
    ])
    await store(storage, later(third), turn(third.id, "three"))
    const report = await copyStorage(storage, target)

    expect(report.sessions).toEqual({ added: 0, updated: 2, unchanged: 1 })
    expect(report).toMatchObject({ verified: 3, total: 3 })
    expect(await everything(target)).toEqual(await everything(storage))
    expect(await revision(first)).toBe(before[0])
  })

  it("goes on after it was killed at any call", async () => {
    const storage = memoryStorage()
    const small = session()
    const large = session()
    const blob = await storage.blobs.put(Buffer.from("large"))
    await store(storage, small, turn(small.id, "one", { blob }))
    await store(storage, large, longTurn(large.id, { blob }))
    for (let failAt = 1; ; failAt++) {
      const target = await open()
      const done = await copyStorage(storage, failingStorage(target, failAt).storage).catch((error: unknown) => error)
      const report = await copyStorage(storage, target)
      expect(report).toMatchObject({ verified: 2, total: 2, left: [] })
      expect(await everything(target)).toEqual(await everything(storage))
      expect(await target.blobs.get(blob)).toEqual(await storage.blobs.get(blob))
      if (!(done instanceof Error)) {
        expect(failAt).toBeGreaterThan(20)
        break
      }
    }
  })
})

it("goes on after the source failed at any call", async () => {
  const { storage } = await source()
  for (let failAt = 1; ; failAt++) {
    const target = memoryStorage()
    const done = await copyStorage(failingStorage(storage, failAt).storage, target).catch((error: unknown) => error)
    await copyStorage(storage, target)
    expect(await everything(target)).toEqual(await everything(storage))
    if (!(done instanceof Error)) break
  }
})

it("asks the source for nothing that writes", async () => {
  const { storage } = await source()
  const asked = new Set<string>()
  const listening = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(inner, name) {
        asked.add(String(name))
        const value: unknown = Reflect.get(inner, name)
        return name === "blobs" ? listening(value as object) : value
      },
    })
  const report = await copyStorage(listening(storage), memoryStorage())
  expect([...asked].toSorted()).toEqual(["blobs", "get", "getSession", "listSessions", "readMessages", "verify"])
  expect(report.verified).toBe(3)
})

it("leaves sessions alone that only the target has, or that went on there", async () => {
  const { storage, sessions } = await source()
  const [first] = sessions as [Session]
  const target = memoryStorage()
  await copyStorage(storage, target)
  const own = session()
  await store(target, own, [])
  await store(target, later(first), turn(first.id, "only here"))
  const { left, verified, total } = await copyStorage(storage, target)
  expect({ left, verified, total }).toEqual({ left: [{ id: first.id, reason: "diverged" }], verified: 2, total: 3 })
  expect((await target.readContext(first.id)).messages).toHaveLength(6)
  expect(await target.getSession(own.id)).toEqual(own)
})

it("loses no message that only the target has, unless it is told to", async () => {
  const { storage, sessions } = await source()
  const [first] = sessions as [Session]
  const target = memoryStorage()
  await copyStorage(storage, target)
  await store(target, later(first), turn(first.id, "only here"))
  await store(storage, later(later(first)), turn(first.id, "only there"))
  expect((await copyStorage(storage, target)).left).toEqual([{ id: first.id, reason: "diverged" }])
  expect((await target.readContext(first.id)).messages).toHaveLength(6)
  expect(await copyStorage(storage, target, { overwrite: true })).toMatchObject({ left: [], verified: 3 })
  expect(await everything(target)).toEqual(await everything(storage))
})

it("leaves a session that the target runs, and reports it", async () => {
  const { storage, sessions } = await source()
  const [first] = sessions as [Session]
  const target = memoryStorage()
  await copyStorage(storage, target)
  await store(storage, later(first), turn(first.id, "new"))
  await target.acquire(first.id, "a run", 10_000)
  const { left, verified } = await copyStorage(storage, target)
  expect({ left, verified }).toEqual({ left: [{ id: first.id, reason: "busy" }], verified: 2 })
})

it("puts back a blob that the target lost", async () => {
  const { storage, blob } = await source()
  const target = memoryStorage()
  await copyStorage(storage, target)
  let isLost = true
  const blobs: MaintainedStorage["blobs"] = {
    get: async (id) => (isLost ? undefined : target.blobs.get(id)),
    async put(bytes) {
      isLost = false
      return target.blobs.put(bytes)
    },
  }
  const report = await copyStorage(storage, { ...target, blobs })
  expect(report).toMatchObject({ blobs: 1, sessions: { unchanged: 3 }, verified: 3 })
  expect(await target.blobs.get(blob)).toBeDefined()
})

it("copies again what changes while it is copied, and what comes meanwhile", async () => {
  const { storage, sessions } = await source()
  const [first] = sessions as [Session]
  const target = memoryStorage()
  let isDone = false
  const changing: CopySource = {
    ...storage,
    async *readMessages(id, query) {
      yield* storage.readMessages(id, query)
      if (isDone) return
      isDone = true
      await store(storage, later(first), turn(first.id, "meanwhile"))
      await store(storage, session({ id: newID.session() }), [])
    },
  }
  expect(await copyStorage(changing, target)).toMatchObject({ verified: 4, total: 4, left: [] })
  expect(await everything(target)).toEqual(await everything(storage))
})

it("tells of a session that never stays the same", async () => {
  const { storage, sessions } = await source()
  const [first] = sessions as [Session]
  const changing: CopySource = {
    ...storage,
    async *readMessages(id, query) {
      yield* storage.readMessages(id, query)
      if (id === first.id) await store(storage, first, turn(first.id, "again"))
    },
  }
  const { left, verified, total } = await copyStorage(changing, memoryStorage())
  expect({ left, verified, total }).toEqual({ left: [{ id: first.id, reason: "changing" }], verified: 2, total: 3 })
})

it("tells how far it is, and stops where the signal says so", async () => {
  const { storage } = await source()
  const seen: number[][] = []
  await copyStorage(storage, memoryStorage(), { onProgress: (...progress) => void seen.push(progress) })
  expect(seen).toEqual([1, 2, 3, 4, 5, 6].map((done) => [done, 6]))

  const stop = new AbortController()
  const target = memoryStorage()
  const copying = copyStorage(storage, target, {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("enough")),
  })
  await expect(copying).rejects.toThrow("enough")
  expect((await everything(target)).length).toBeLessThan(3)
})

it("names what the source has lost", async () => {
  const storage = memoryStorage()
  const root = session()
  const missing = "0".repeat(64)
  await store(storage, root, turn(root.id, "x", { blob: missing }))
  const { damaged, verified } = await copyStorage(storage, memoryStorage())
  expect(verified).toBe(1)
  expect(damaged).toMatchObject([{ kind: "reference", subject: missing }])
})
