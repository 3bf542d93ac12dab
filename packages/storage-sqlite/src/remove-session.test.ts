import { readFileSync, writeFileSync } from "node:fs"
import { setImmediate as nextTurn } from "node:timers/promises"
import { NotFoundError, type SessionID, StaleLeaseError, type MaintainedStorage, type Write } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { collect, openRaw, openStorage, storeSession, temporaryFile } from "../test/place.ts"

const session = sessionID(1)
const PARTS = 3000

async function storeParts(storage: MaintainedStorage, id: SessionID, count = PARTS): Promise<void> {
  const message = messageID(1)
  await storage.commit(id, [
    { type: "session.put", session: sampleSession(id) },
    { type: "message.put", message: sampleUserMessage(id, message) },
    ...Array.from({ length: count }, (_, index): Write => {
      return { type: "part.put", part: sampleText(id, message, partID(index)) }
    }),
  ])
}

async function open() {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeParts(storage, session)
  const raw = openRaw(path)
  const count = (table: string) => Number(raw.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"])
  return { path, storage, raw, count }
}

/** Calls `look` in each turn of the event loop until the work is done. */
async function during(work: Promise<unknown>, look: () => unknown): Promise<void> {
  const done = new AbortController()
  void work.finally(() => done.abort()).catch(() => undefined)
  while (!done.signal.aborted) {
    await look()
    await nextTurn()
  }
  await work
}

it("deletes the records of a large session in short transactions between which others write", async () => {
  const { path, storage, count } = await open()
  const other = await openStorage(path)
  await storeSession(other, sessionID(2))
  const counts: number[] = [count("record")]
  let commits = 0
  await during(storage.removeSession(session), async () => {
    counts.push(count("record"))
    await other.commit(sessionID(2), [{ type: "session.patch", changes: { title: `${++commits}` } }])
  })
  const steps = counts.slice(1).map((left, index) => (counts[index] ?? 0) - left)
  expect(Math.max(...steps)).toBeGreaterThan(0)
  // Two transactions may have passed between two looks.
  expect(Math.max(...steps)).toBeLessThanOrEqual(1000)
  expect(commits).toBeGreaterThan(3)
  expect(count("record")).toBe(1)
})

it("shows nobody a session whose records are still there, and lets another take its id", async () => {
  const { path, storage, raw, count } = await open()
  const other = await openStorage(path)
  const removal = storage.removeSession(session)
  while (raw.prepare("SELECT 1 FROM session").get()) await nextTurn()
  expect(count("record")).toBeGreaterThan(1000)
  expect(await other.getSession(session)).toBeUndefined()
  expect(await collect(other.listSessions())).toEqual([])
  expect(await collect(other.readMessages(session))).toEqual([])
  expect(await collect(other.verify())).toEqual([])
  await expect(other.readContext(session)).rejects.toThrow(NotFoundError)
  const part = sampleText(session, messageID(1), partID(1))
  await expect(other.commit(session, [{ type: "part.put", part }])).rejects.toThrow(NotFoundError)
  await storeParts(other, session, 5)
  await removal
  const { messages } = await other.readContext(session)
  expect(messages.map(({ parts }) => parts.length)).toEqual([5])
  expect(count("record")).toBe(7)
})

it("tells watchers before the records are deleted", async () => {
  const { storage, count } = await open()
  const watched = storage.watch({}, AbortSignal.timeout(100_000))[Symbol.asyncIterator]()
  const next = watched.next()
  const removal = storage.removeSession(session)
  expect((await next).value).toEqual({ sessionID: session, revision: 0 })
  expect(count("record")).toBeGreaterThan(0)
  await removal
})

it("deletes what a storage that was closed meanwhile has left, at the next opening", async () => {
  const { path, storage, count } = await open()
  const removal = storage.removeSession(session)
  await storage.close()
  await removal
  expect(count("record")).toBeGreaterThan(0)
  await openStorage(path)
  await expect.poll(() => count("record")).toBe(0)
})

it.each(["gc", "rebuild", "removeSession"] as const)(
  "deletes in %s what a killed process has left, with blobs and chunks, and keeps what has the same id",
  async (resume) => {
    const { path, storage, raw, count } = await open()
    const text = "x".repeat(600_000)
    await storage.commit(session, [{ type: "part.put", part: sampleText(session, messageID(1), partID(0), { text }) }])
    const child = startChild("killed-removing.ts", [path, session, "2"])
    expect((await child.ended).signal).toBe("SIGKILL")
    expect(count("record")).toBeGreaterThan(1000)
    expect(count("session")).toBe(0)
    await storeParts(storage, session, 5)
    const { revision, messages } = await storage.readContext(session)
    expect([revision, messages[0]?.parts.length]).toEqual([1, 5])
    await (resume === "removeSession" ? storage.removeSession(sessionID(9)) : storage[resume]())
    expect(count("record")).toBe(7)
    expect(count("chunk")).toBe(0)
    expect(raw.prepare("PRAGMA foreign_key_check").all()).toEqual([])
    expect(await collect(storage.verify())).toEqual([])
  },
)

it("removes a whole tree at once, with everything that is of its sessions", async () => {
  const { storage, raw, count } = await open()
  const child = { ...sampleSession(sessionID(2)), parentID: session }
  await storage.commit(child.id, [{ type: "session.put", session: child }])
  await storage.acquire(child.id, "own_a", 60_000)
  await collect(storage.search({ text: "a" }))
  await storage.stats()
  await storage.removeSession(session)
  for (const table of ["session", "record", "chunk", "lease", "session_size", "search_session"]) {
    expect(count(table)).toBe(0)
  }
  expect(raw.prepare("SELECT count(*) AS count FROM removed_session WHERE rest = 1").get()).toEqual({ count: 0 })
})

it("cascades again after a removal", async () => {
  const { storage, count } = await open()
  await storage.removeSession(session)
  await storeSession(storage, session)
  const message = { type: "message.put", message: sampleUserMessage(session, messageID(1)) } as const
  const text = "x".repeat(600_000)
  const put = { type: "part.put", part: sampleText(session, messageID(1), partID(1), { text }) } as const
  await storage.commit(session, [message, put])
  await storage.commit(session, [put])
  expect(count("chunk")).toBe(3)
})

it("never accepts a token of a removed session for another with its id, whatever is forgotten of the removal", async () => {
  const { storage, raw } = await open()
  const acquire = async (id: SessionID) => (await storage.acquire(id, "own_a", 60_000))?.token
  await acquire(session)
  const stale = await acquire(session)
  await storage.removeSession(session)
  // The newest removal is of a session without a lease.
  await storeSession(storage, sessionID(2))
  await storage.removeSession(sessionID(2))
  raw.exec("UPDATE removed_session SET time = 0")
  await storage.gc()
  await storeSession(storage, session)
  await expect(storage.commit(session, [], stale)).rejects.toThrow(StaleLeaseError)
  expect(await acquire(session)).toMatchObject({ epoch: 3 })
  await expect(storage.commit(session, [], stale)).rejects.toThrow(StaleLeaseError)
})

it("forgets in gc the removals of yesterday, but not the newest", async () => {
  const { storage, raw } = await open()
  await collect(storage.search({ text: "a" }))
  for (const number of [1, 2, 3, 4]) {
    await storeSession(storage, sessionID(number))
    await storage.removeSession(sessionID(number))
  }
  const removed = () => raw.prepare("SELECT id FROM removed_session ORDER BY key").all()
  await storage.gc()
  expect(removed()).toHaveLength(4)
  raw.exec("UPDATE removed_session SET time = time - 86400001 WHERE key <> (SELECT min(key) FROM removed_session)")
  await storage.gc()
  expect(removed().map(({ id }) => id)).toEqual([sessionID(1), sessionID(4)])
})

it("brings nothing back and deletes nothing else when the file is recovered in the middle of a removal", async () => {
  const { path, storage } = await open()
  await storeParts(storage, sessionID(2), 3)
  const token = (await storage.acquire(session, "own_a", 60_000))?.token
  const removal = storage.removeSession(session)
  await storage.close()
  await removal
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0, 0, 100))
  const recovered = await openStorage(path, { onDamage: "recover" })
  await recovered.gc()
  expect((await collect(recovered.listSessions())).map(({ id }) => id)).toEqual([sessionID(2)])
  expect((await recovered.readContext(sessionID(2))).messages[0]?.parts).toHaveLength(3)
  await storeSession(recovered, session)
  expect((await recovered.acquire(session, "own_b", 60_000))?.token.epoch).toBe((token?.epoch ?? 0) + 1)
})
