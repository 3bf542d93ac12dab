import { statSync } from "node:fs"
import { messageID, partID, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import type { PartID } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { collect, openRaw, openStorage, storeSession, temporaryFile } from "../test/place.ts"
import type { SqliteStorage } from "./sqlite-storage.ts"

const session = sessionID(1)
const bytes = (length: number, value: number) => new Uint8Array(length).fill(value)

async function storeReference(storage: SqliteStorage, id: PartID, blob: string): Promise<void> {
  const part = sampleText(session, messageID(1), id, { metadata: { blob } })
  await storage.commit(session, [
    { type: "message.put", message: sampleUserMessage(session, messageID(1)) },
    { type: "part.put", part },
  ])
}

async function open(clock = () => 1000) {
  const path = temporaryFile()
  const storage = await openStorage(path, { clock })
  await storeSession(storage, session)
  return { path, storage, raw: openRaw(path) }
}

it("keeps a large blob in pieces and gives it back", async () => {
  const { storage, raw } = await open()
  const content = Uint8Array.from({ length: 1_500_000 }, (_, index) => index % 251)
  const id = await storage.blobs.put(content)
  expect(raw.prepare("SELECT max(length(bytes)) AS longest, count(*) AS count FROM blob_piece").get()).toEqual({
    ...{ longest: 255 * 1024, count: 6 },
  })
  expect(Buffer.from((await storage.blobs.get(id)) ?? []).equals(content)).toBe(true)
})

it("shows nobody a blob of which pieces are missing", async () => {
  const { path, storage } = await open()
  const put = storage.blobs.put(bytes(3_000_000, 1))
  const id = "da14c4e0cafab7d8fd4c1fe2c5f3a4a5b4b8f9e2a4c7be1c9a8d7f6e5d4c3b2a"
  const reader = await openStorage(path)
  let seen = 0
  const raw = openRaw(path)
  while (raw.prepare("SELECT 1 FROM blob WHERE whole = 1").get() === undefined) {
    const begun = raw.prepare("SELECT id FROM blob WHERE whole = 0").get()
    if (begun && (await reader.blobs.get(String(begun["id"]))) === undefined) seen++
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(seen).toBeGreaterThan(0)
  expect(await reader.blobs.get(await put)).toHaveLength(3_000_000)
  expect(await reader.blobs.get(id)).toBeUndefined()
})

it("stores a large blob once that two handles put at the same time", async () => {
  const { path, storage, raw } = await open()
  const other = await openStorage(path)
  const content = bytes(2_000_000, 2)
  const [first, second] = await Promise.all([storage.blobs.put(content), other.blobs.put(content)])
  expect(first).toBe(second)
  expect((await storage.stats()).records.blob).toEqual({ count: 1, bytes: 2_000_000 })
  await storage.gc()
  expect(raw.prepare("SELECT count(DISTINCT blob) AS blobs FROM blob_piece").get()).toEqual({ blobs: 1 })
})

it("collects what was referred to once the part is written again, removed or its session is", async () => {
  const { storage } = await open()
  const ids = await Promise.all([1, 2, 3].map((value) => storage.blobs.put(bytes(10, value))))
  for (const [index, id] of ids.entries()) await storeReference(storage, partID(index), id)
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 0, bytes: 0 })
  await storage.commit(session, [{ type: "part.put", part: sampleText(session, messageID(1), partID(0)) }])
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 10 })
  await storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(1) }])
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 10 })
  await storage.removeSession(session)
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: 10 })
})

it("counts age by the clock of the boot, whatever the wall says", async () => {
  let now = 1000
  const { storage, raw } = await open(() => now)
  await storage.blobs.put(bytes(10, 1))
  raw.exec("UPDATE blob SET put = 0")
  now += 999
  expect((await storage.gc({ minAge: 1000 })).blobs).toBe(0)
  await storage.blobs.put(bytes(10, 1))
  now += 999
  expect((await storage.gc({ minAge: 1000 })).blobs).toBe(0)
  now += 1
  expect((await storage.gc({ minAge: 1000 })).blobs).toBe(1)
})

it("counts age by the wall for what an earlier boot put", async () => {
  const { storage, raw } = await open()
  await storage.blobs.put(bytes(10, 1))
  raw.exec("UPDATE blob SET boot = 'earlier', uptime = 9e9")
  expect((await storage.gc({ minAge: 60_000 })).blobs).toBe(0)
  raw.exec("UPDATE blob SET put = put - 60000")
  expect((await storage.gc({ minAge: 60_000 })).blobs).toBe(1)
})

it("removes what a killed process began to put, once nobody can be putting it any more", async () => {
  let now = 1000
  const { storage, raw } = await open(() => now)
  await storage.blobs.put(bytes(600_000, 1))
  raw.exec("UPDATE blob SET whole = 0")
  await storage.gc({ minAge: 0 })
  const count = () => raw.prepare("SELECT count(*) AS count FROM blob_piece").get()
  expect(count()).toEqual({ count: 3 })
  now += 3_600_000
  await storage.gc({ minAge: 0 })
  expect(count()).toEqual({ count: 0 })
})

it("gives the space back to the disk", async () => {
  const { path, storage } = await open()
  await storage.blobs.put(bytes(3_000_000, 1))
  await storage.gc()
  const full = statSync(path).size
  await storage.gc({ minAge: 0 })
  expect(full).toBeGreaterThan(3_000_000)
  expect(statSync(path).size).toBeLessThan(300_000)
  expect((await storage.stats()).totalBytes).toBeLessThan(300_000)
})

it("stops when it is aborted, and what it did stays done", async () => {
  const { storage } = await open()
  for (let value = 0; value < 5; value++) await storage.blobs.put(bytes(1000, value))
  const reason = new Error("enough")
  await expect(storage.gc({ minAge: 0, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect((await storage.stats()).records.blob.count).toBe(5)
  const abort = new AbortController()
  await expect(storage.gc({ minAge: 0, signal: abort.signal, onProgress: () => abort.abort(reason) })).rejects.toBe(
    reason,
  )
  expect((await storage.stats()).records.blob.count).toBe(0)
})

it("takes what is gone out of the search index", async () => {
  const { storage, raw } = await open()
  await storeReference(storage, partID(1), "no blob")
  await collect(storage.search({ text: "hello" }))
  await storage.commit(session, [
    { type: "part.put", part: sampleText(session, messageID(1), partID(1), { text: "bye" }) },
  ])
  expect(await collect(storage.search({ text: "hello" }))).toEqual([])
  const entries = () => raw.prepare("SELECT count(*) AS count FROM search_1_docsize").get()
  expect(entries()).toEqual({ count: 2 })
  await storage.gc()
  expect(entries()).toEqual({ count: 1 })
  expect(await collect(storage.search({ text: "bye" }))).toHaveLength(1)
  await storage.removeSession(session)
  expect(await collect(storage.search({ text: "bye" }))).toEqual([])
  expect(entries()).toEqual({ count: 0 })
})
