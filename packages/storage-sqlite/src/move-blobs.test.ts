import { createHash } from "node:crypto"
import { messageID, partID, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { collect, fileOfVersion1, openRaw, openStorage } from "../test/place.ts"

const session = sessionID(1)
const large = new Uint8Array(600_000).fill(7)
const idOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

it("brings a file of version 1 up to date with all that is in it", async () => {
  const path = fileOfVersion1()
  const storage = await openStorage(path)
  expect((await collect(storage.listSessions())).map(({ title }) => title)).toEqual([
    "Session 1",
    "Session 2",
    "Session 3",
  ])
  const { messages, revision, damaged } = await storage.readContext(session)
  expect([revision, messages.length, damaged]).toEqual([7, 2, undefined])
  expect((await collect(storage.search({ text: "needle" }))).map((hit) => hit.partID)).toEqual([partID(1)])
  expect(await storage.blobs.get(idOf(large))).toEqual(large)
  expect(Buffer.from((await storage.blobs.get(idOf(Buffer.from("attachment 1")))) ?? []).toString()).toBe(
    "attachment 1",
  )
  expect((await storage.acquire(sessionID(2), "own_b", 1000))?.token.epoch).toBe(2)
  expect(await collect(storage.verify())).toEqual([])
  await storage.close()
  const raw = openRaw(path)
  expect(raw.prepare("PRAGMA user_version").get()).toEqual({ user_version: 3 })
  expect(raw.prepare("SELECT max(length(bytes)) AS longest FROM blob_piece").get()).toEqual({ longest: 255 * 1024 })
})

it("keeps the blobs that version 1 referred to and collects the other", async () => {
  const storage = await openStorage(fileOfVersion1())
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 1, bytes: "attachment 2".length })
  expect(await storage.blobs.get(idOf(large))).toEqual(large)
})

it("does nothing the second time", async () => {
  const path = fileOfVersion1()
  await (await openStorage(path)).close()
  const dump = () =>
    JSON.stringify(openRaw(path).prepare("SELECT * FROM blob JOIN blob_piece ON blob = blob.key").all())
  const before = dump()
  await (await openStorage(path)).close()
  expect(dump()).toBe(before)
})

it("goes on where a process was killed between two steps", async () => {
  await Promise.all([1, 3, 6, 9].map(killAndReopen))
})

async function killAndReopen(writes: number): Promise<void> {
  const path = fileOfVersion1()
  const child = startChild("killed-opening.ts", [path, String(writes)])
  expect((await child.ended).signal).toBe("SIGKILL")
  const storage = await openStorage(path)
  expect(await collect(storage.verify())).toEqual([])
  expect(await storage.blobs.get(idOf(large))).toEqual(large)
  expect((await storage.stats()).records.blob).toEqual({ count: 3, bytes: 600_024 })
  expect((await storage.readContext(session)).messages[0]?.info.id).toBe(messageID(1))
  expect(openRaw(path).prepare("SELECT 1 FROM sqlite_schema WHERE name = 'blob_version_1'").get()).toBeUndefined()
}

it("lets several processes bring a file up to date together", async () => {
  const path = fileOfVersion1()
  const storages = await Promise.all([1, 2, 3].map(() => openStorage(path)))
  for (const storage of storages) expect((await storage.stats()).records.blob.count).toBe(3)
})
