import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import type { PartID, MaintainedStorage } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { openRaw, openStorage, storeSession, temporaryFile } from "../test/place.ts"

const session = sessionID(1)
const large = "é".repeat(200_000)

async function open() {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
  await storage.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(1)) }])
  const raw = openRaw(path)
  const chunks = () => raw.prepare("SELECT count(*) AS count, max(length(bytes)) AS longest FROM chunk").get()
  const longestRow = () => raw.prepare("SELECT max(length(CAST(data AS BLOB))) AS bytes FROM record").get()
  return { storage, raw, chunks, longestRow }
}

function storePart(storage: MaintainedStorage, id: PartID, text: string) {
  return storage.commit(session, [{ type: "part.put", part: sampleText(session, messageID(1), id, { text }) }])
}

it("keeps every row below 256 KB", async () => {
  const { storage, chunks, longestRow } = await open()
  await storePart(storage, partID(1), large)
  await storePart(storage, partID(2), "x".repeat(260_000))
  expect(chunks()).toEqual({ count: 2, longest: 255 * 1024 })
  expect(Number(longestRow()?.["bytes"])).toBeGreaterThan(255_000)
  expect(Number(longestRow()?.["bytes"])).toBeLessThan(256 * 1024)
})

it("cuts where it must, through the middle of a character too", async () => {
  const { storage } = await open()
  for (const start of ["", "a"]) {
    await storePart(storage, partID(1), start + large)
    const [message] = (await storage.readContext(session)).messages
    expect(message?.parts).toEqual([sampleText(session, messageID(1), partID(1), { text: start + large })])
  }
})

it("cuts sessions and messages as well", async () => {
  const { storage, longestRow } = await open()
  const diffs = [{ file: "a.ts", additions: 1, deletions: 1, patch: large }]
  const message = sampleUserMessage(session, messageID(1), { summary: { diffs } })
  const stored = sampleSession(session, { summary: { additions: 1, deletions: 1, files: 1, diffs } })
  await storage.commit(session, [
    { type: "message.put", message },
    { type: "session.put", session: stored },
  ])
  expect(Number(longestRow()?.["bytes"])).toBeLessThan(1000)
  expect((await storage.readContext(session)).messages[0]?.info).toEqual(message)
  expect(await storage.getSession(session)).toEqual(stored)
})

it.each([
  ["replaced", (storage: MaintainedStorage) => storePart(storage, partID(1), "small")],
  [
    "removed",
    (storage: MaintainedStorage) => {
      return storage.commit(session, [{ type: "part.remove", messageID: messageID(1), partID: partID(1) }])
    },
  ],
  [
    "removed with its message",
    (storage: MaintainedStorage) => {
      return storage.commit(session, [{ type: "message.remove", messageID: messageID(1) }])
    },
  ],
  ["removed with its session", (storage: MaintainedStorage) => storage.removeSession(session)],
])("deletes the chunks of a part that is %s", async (_, remove) => {
  const { storage, chunks } = await open()
  await storePart(storage, partID(1), large)
  expect(chunks()).toMatchObject({ count: 2 })
  await remove(storage)
  expect(chunks()).toMatchObject({ count: 0 })
})

it("deletes every row of a removed session but its id", async () => {
  const { storage, raw } = await open()
  await storage.acquire(session, "own_a", 1000)
  await storage.removeSession(session)
  for (const table of ["session", "record", "chunk", "lease"]) {
    expect(raw.prepare(`SELECT count(*) AS count FROM ${table}`).get()).toEqual({ count: 0 })
  }
  expect(raw.prepare("SELECT id FROM removed_session").all()).toEqual([{ id: session }])
})
