import { once } from "node:events"
import { spawn } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { NotFoundError, StaleLeaseError } from "@pawl/core/storage"
import { sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { openRaw, openStorage, storeSession, temporaryFile } from "../test/place.ts"
import { currentProcess, isFree, type LocalLease } from "@pawl/storage-kit"

const session = sessionID(1)
const self = currentProcess()
const held: LocalLease = { ...self, owner: "own_a", epoch: 1, ttl: 1000, expires: 5000 }

/** A session leased to "own_a", and the row to rewrite as another process would have left it. */
async function leased(clock?: () => number) {
  const path = temporaryFile()
  const storage = await openStorage(path, clock ? { clock } : {})
  await storeSession(storage, session)
  const lease = await storage.acquire(session, "own_a", 1000)
  const raw = openRaw(path)
  return {
    storage,
    lease,
    set: (column: string, value: string | number) => raw.prepare(`UPDATE lease SET ${column} = ?`).run(value),
  }
}

it("is held until its time is over, by the clock given", async () => {
  let now = 1_000_000
  const { storage, lease } = await leased(() => now)
  now += 999
  expect(await storage.acquire(session, "own_b", 1000)).toBeUndefined()
  await lease?.renew()
  now += 999
  expect(await storage.acquire(session, "own_b", 1000)).toBeUndefined()
  now += 1
  expect((await storage.acquire(session, "own_b", 1000))?.token.epoch).toBe(2)
})

it("is free at once when its owner's process is dead", async () => {
  const { storage, set } = await leased()
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" })
  await once(child, "exit")
  expect(await storage.acquire(session, "own_b", 1000)).toBeUndefined()
  set("pid", Number(child.pid))
  expect((await storage.acquire(session, "own_b", 1000))?.token.epoch).toBe(2)
})

it("is free at once after a restart of the machine", async () => {
  const { storage, set } = await leased()
  set("boot", "earlier")
  expect((await storage.acquire(session, "own_b", 1000))?.token.epoch).toBe(2)
})

it("is held by an owner that cannot be seen until its time is over", async () => {
  const { storage, set } = await leased()
  set("host", "elsewhere")
  set("pid", 999_999_999)
  expect(await storage.acquire(session, "own_b", 1000)).toBeUndefined()
})

it("is decided by owner, time and the life of the owner's process", () => {
  const free = (row: Partial<LocalLease>, now = 4500, owner = "own_b") => isFree({ ...held, ...row }, owner, now, self)
  expect(free({})).toBe(false)
  expect(free({ owner: null })).toBe(true)
  expect(free({}, 4500, "own_a")).toBe(true)
  expect(free({}, 5000)).toBe(true)
  // The clock of an unknown boot stands before the row was written: it was another boot's.
  expect(free({}, 3999)).toBe(true)
  expect(free({}, 4000)).toBe(false)
  expect(free({ boot: "earlier" })).toBe(true)
})

it("is looked at in the transaction of the writes, not before it", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
  const lease = await storage.acquire(session, "own_a", 60_000)
  const raw = openRaw(path)
  raw.exec("BEGIN IMMEDIATE")
  const commit = storage.commit(session, [{ type: "session.patch", changes: { title: "stale" } }], lease?.token)
  const takeover = sleep(20).then(() => raw.exec("UPDATE lease SET owner = 'own_b', epoch = 2; COMMIT"))
  await expect(commit).rejects.toThrow(StaleLeaseError)
  await takeover
  expect((await storage.readContext(session)).revision).toBe(1)
})

it("tells two processes' sessions that do not exist from those that are held", async () => {
  const { storage } = await leased()
  await expect(storage.acquire(sessionID(2), "own_b", 1000)).rejects.toThrow(NotFoundError)
})
