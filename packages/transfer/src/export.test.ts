import { NotFoundError } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { everything, newID, session, store, turn } from "../test/sessions.ts"
import { exportSession, writeSession } from "./export.ts"
import { importSession } from "./import.ts"

async function family() {
  const storage = memoryStorage()
  const blob = await storage.blobs.put(Buffer.from("a large output"))
  const root = session()
  const child = session({ parentID: root.id })
  const grandchild = session({ parentID: child.id })
  await store(storage, root, [...turn(root.id, "one", { blob }), ...turn(root.id, "two")])
  await store(storage, child, turn(child.id, "three", { blob }))
  await store(storage, grandchild, [])
  await store(storage, session(), [])
  return { storage, root, child, grandchild, blob }
}

it("holds the session, all below it, and each blob once", async () => {
  const { storage, root, child, grandchild, blob } = await family()
  const document = await exportSession(storage, root.id)
  expect(document.sessions.map((entry) => entry.session.id)).toEqual([root.id, child.id, grandchild.id])
  expect(document.blobs).toEqual([{ id: blob, base64: Buffer.from("a large output").toString("base64") }])
  expect(document.report).toEqual({ sessions: 3, messages: 6, parts: 12, blobs: 1 })
  const ids = document.sessions[0]?.messages.map(({ info }) => info.id)
  expect(ids).toEqual(ids?.toSorted())
})

it("leaves the children out where they are not wanted", async () => {
  const { storage, root } = await family()
  const { sessions } = await exportSession(storage, root.id, { children: false })
  expect(sessions.map((entry) => entry.session.id)).toEqual([root.id])
})

it("writes the same document in pieces", async () => {
  const { storage, root } = await family()
  const pieces: string[] = []
  const report = await writeSession(storage, root.id, (text) => void pieces.push(text))
  const document = await exportSession(storage, root.id)
  expect(JSON.parse(pieces.join(""))).toEqual(document)
  expect(report).toEqual(document.report)
})

it("writes a session without messages and blobs", async () => {
  const storage = memoryStorage()
  const empty = session()
  await store(storage, empty, [])
  let text = ""
  await writeSession(storage, empty.id, (piece) => void (text += piece))
  expect(JSON.parse(text)).toEqual(await exportSession(storage, empty.id))
})

it("cuts the content of a blob at whole groups of base64", async () => {
  const storage = memoryStorage()
  const bytes = Uint8Array.from({ length: 200_001 }, (_, at) => (at * 7) % 256)
  const large = session()
  await store(storage, large, turn(large.id, "x", { blob: await storage.blobs.put(bytes) }))
  const pieces: string[] = []
  await writeSession(storage, large.id, (text) => void pieces.push(text))
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000)
  const target = memoryStorage()
  await importSession(target, JSON.parse(pieces.join("")))
  expect(await target.blobs.get(await storage.blobs.put(bytes))).toEqual(bytes)
})

it("holds a page of a long session at a time", async () => {
  const storage = memoryStorage()
  const long = session()
  for (let at = 0; at < 25; at++) await store(storage, long, turn(long.id, `turn ${at}`))
  const document = await exportSession(storage, long.id)
  const stored = (await everything(storage))[0]
  expect(document.sessions[0]?.messages).toEqual(stored?.messages.toReversed())
})

it("leaves out what comes while it reads", async () => {
  const storage = memoryStorage()
  const long = session()
  await store(storage, long, turn(long.id, "before"))
  let reads = 0
  const document = await exportSession(
    {
      ...storage,
      async *readMessages(id, query) {
        if (++reads === 2) await store(storage, long, turn(long.id, "meanwhile"))
        yield* storage.readMessages(id, query)
      },
    },
    long.id,
  )
  expect(document.report.messages).toBe(2)
  expect((await importSession(memoryStorage(), document)).warnings).toEqual([])
})

it("waits for the sink, and ends with its error", async () => {
  const { storage, root } = await family()
  let calls = 0
  const sink = async () => {
    if (++calls === 3) throw new Error("disk full")
  }
  await expect(writeSession(storage, root.id, sink)).rejects.toThrow("disk full")
  expect(calls).toBe(3)
})

it("names a session that does not exist", async () => {
  await expect(exportSession(memoryStorage(), newID.session())).rejects.toThrow(NotFoundError)
})

it("stops where the signal says so", async () => {
  const { storage, root } = await family()
  const signal = AbortSignal.abort(new Error("enough"))
  await expect(exportSession(storage, root.id, { signal })).rejects.toThrow("enough")
})
