import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import type { DatabaseSync } from "node:sqlite"
import { expect, it } from "vitest"
import { collect, openRaw, openStorage, temporaryFile } from "../test/place.ts"
import type { SqliteStorage } from "./sqlite-storage.ts"

const [session, other] = [sessionID(1), sessionID(2)]
const text = (number: number, message = 1) => sampleText(session, messageID(message), partID(number))

/** Session 1 has messages 1 and 2 with two parts each; session 2 has nothing. */
async function open(): Promise<{ storage: SqliteStorage; raw: DatabaseSync }> {
  const path = temporaryFile()
  const storage = await openStorage(path)
  for (const id of [session, other])
    await storage.commit(id, [{ type: "session.put", session: sampleSession(id, { title: "Kept" }) }])
  await storage.commit(session, [
    { type: "message.put", message: sampleUserMessage(session, messageID(1)) },
    { type: "message.put", message: sampleUserMessage(session, messageID(2)) },
    ...[text(1), text(2), text(3, 2), text(4, 2)].map((part) => ({ type: "part.put", part }) as const),
  ])
  return { storage, raw: openRaw(path) }
}

const contents = async (storage: SqliteStorage) =>
  (await collect(storage.readMessages(session))).map(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)])
const breakPart = `UPDATE record SET data = '{"id": "prt_' WHERE part_id = '${partID(1)}'`
const breakMessage = `UPDATE record SET data = '7' WHERE message_id = '${messageID(2)}' AND part_id = ''`
const loseMessage = `DELETE FROM record WHERE message_id = '${messageID(2)}' AND part_id = ''`
const breakSession = `UPDATE record SET data = '{}' WHERE message_id = '' AND session = (SELECT key FROM session WHERE id = '${session}')`

it.each([
  [
    "a part that is no JSON",
    breakPart,
    [
      [messageID(2), partID(3), partID(4)],
      [messageID(1), partID(2)],
    ],
    [partID(1)],
  ],
  [
    "a part that is another's",
    `UPDATE record SET data = replace(data, '"${messageID(1)}"', '"msg_9"') WHERE part_id = '${partID(2)}'`,
    [
      [messageID(2), partID(3), partID(4)],
      [messageID(1), partID(1)],
    ],
    [partID(2)],
  ],
  [
    "a part without its text",
    `UPDATE record SET data = json_remove(data, '$.text') WHERE part_id = '${partID(2)}'`,
    [
      [messageID(2), partID(3), partID(4)],
      [messageID(1), partID(1)],
    ],
    [partID(2)],
  ],
  [
    "a message that is no message",
    breakMessage,
    [[messageID(1), partID(1), partID(2)]],
    [2, 3, 4].map((n) => (n === 2 ? messageID(2) : partID(n))),
  ],
  ["a message that is lost", loseMessage, [[messageID(1), partID(1), partID(2)]], [partID(3), partID(4)]],
])("reads all but %s and names it", async (_, sql, readable, subjects) => {
  const { storage, raw } = await open()
  raw.exec(sql)
  expect(await contents(storage)).toEqual(readable)
  const { messages, damaged } = await storage.readContext(session)
  expect(messages.map(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)]).toReversed()).toEqual(readable)
  expect(damaged?.map(({ subject }) => subject)).toEqual(subjects)
  expect((await collect(storage.verify())).map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted())
  expect(await collect(storage.listSessions())).toHaveLength(2)
  expect((await storage.readChanges(session, 0)).length).toBeGreaterThan(2)
})

it("pages over messages that cannot be read", async () => {
  const { storage, raw } = await open()
  for (let number = 3; number < 130; number++) {
    await storage.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(number)) }])
  }
  raw.exec(`UPDATE record SET data = '7' WHERE message_id BETWEEN '${messageID(40)}' AND '${messageID(119)}'`)
  const messages = await collect(storage.readMessages(session, { limit: 45 }))
  expect(messages.at(9)?.info.id).toBe(messageID(120))
  expect(messages.at(10)?.info.id).toBe(messageID(39))
  expect(messages).toHaveLength(45)
})

it("lists the other sessions beside a damaged one, which can still be reached and written to", async () => {
  const { storage, raw } = await open()
  raw.exec(breakSession)
  expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual([other])
  const context = await storage.readContext(session)
  expect(context.session).toMatchObject({ id: session, directory: "/srv/project", title: "kept" })
  expect(context.messages).toHaveLength(2)
  expect(context.damaged).toMatchObject([{ kind: "damaged", subject: session }])
  await storage.commit(session, [{ type: "session.patch", changes: { title: "Again" } }])
  expect((await storage.getSession(session))?.title).toBe("Again")
  expect(raw.prepare("SELECT CAST(data AS TEXT) AS data FROM quarantine").all()).toEqual([{ data: "{}" }])
})

it.each([
  ["a part", breakPart, 1],
  ["a message with its parts", breakMessage, 3],
  ["parts of a message that is lost", loseMessage, 2],
  ["a session's own record", breakSession, 1],
])("sets %s aside when the storage is rebuilt", async (_, sql, count) => {
  const { storage, raw } = await open()
  const { revision } = await storage.readContext(session)
  raw.exec(sql)
  await storage.rebuild()
  expect(await collect(storage.verify())).toEqual([])
  const context = await storage.readContext(session)
  expect([context.damaged, context.revision > revision]).toEqual([undefined, true])
  expect(await collect(storage.listSessions())).toHaveLength(2)
  expect(raw.prepare("SELECT count(*) AS count FROM quarantine").get()).toEqual({ count })
  await storage.rebuild()
  expect((await storage.readContext(session)).revision).toBe(context.revision)
})

it.each([
  ["columns of a session", "UPDATE session SET directory = '/elsewhere'", "session ses_000002"],
  [
    "an index entry",
    "DELETE FROM search_1 WHERE rowid = (SELECT key FROM record WHERE part_id = 'prt_000001')",
    "search",
  ],
  [
    "other words",
    "DELETE FROM search_1; INSERT INTO search_1 (rowid, words) SELECT key, '_' || session || ' x' FROM record",
    "search",
  ],
  ["a scope of the search", "DELETE FROM search_session", "search"],
  ["a reference", "DELETE FROM reference", "reference"],
  ["a size", "UPDATE session_size SET parts = 99", "session_size"],
])("finds and mends %s that disagree with the records", async (_, sql, subject) => {
  const { storage, raw } = await open()
  const blob = await storage.blobs.put(new Uint8Array([1]))
  await storage.commit(session, [{ type: "part.put", part: { ...text(1), metadata: { blob } } }])
  await collect(storage.search({ text: "hello" }))
  await storage.gc()
  const stats = await storage.stats()
  expect(await collect(storage.verify())).toEqual([])
  raw.exec(sql)
  expect(await collect(storage.verify())).toContainEqual(expect.objectContaining({ kind: "derived", subject }))
  await storage.rebuild()
  expect(await collect(storage.verify())).toEqual([])
  expect((await storage.stats()).records).toEqual(stats.records)
  expect(await collect(storage.search({ text: "hello", directory: "/srv/project" }))).toHaveLength(4)
})

it("finds a blob that is not what was put, and one that is missing", async () => {
  const { storage, raw } = await open()
  const [first, second] = [await storage.blobs.put(new Uint8Array([1])), await storage.blobs.put(new Uint8Array([2]))]
  await storage.commit(session, [{ type: "part.put", part: { ...text(1), metadata: { first, second } } }])
  raw.exec(`UPDATE blob_piece SET bytes = x'09' WHERE blob = 1; DELETE FROM blob WHERE id = '${second}'`)
  expect((await collect(storage.verify())).map(({ kind, subject }) => [kind, subject])).toEqual([
    ["reference", second],
    ["damaged", first],
  ])
})

it("takes a storage that is closed meanwhile for no damage", async () => {
  const { storage } = await open()
  const verified = collect(storage.verify()).catch(String)
  await storage.close()
  expect(await verified).toContain("is closed. Open it again")
})

it("keeps what was committed after a rebuild that was interrupted where it had removed the newest record", async () => {
  const { storage, raw } = await open()
  await storage.gc({ minAge: 0 })
  await collect(storage.search({ text: "text" }))
  raw.exec("PRAGMA foreign_keys = OFF; UPDATE record SET session = 999 WHERE key = (SELECT max(key) FROM record)")
  const abort = new AbortController()
  const rebuilt = storage.rebuild({ signal: abort.signal, onProgress: () => abort.abort(new Error("interrupted")) })
  await expect(rebuilt).rejects.toThrow("interrupted")
  const blob = await storage.blobs.put(Buffer.from("kept"))
  const part = sampleText(session, messageID(1), partID(9), { text: `needle`, metadata: { blob } })
  await storage.commit(session, [{ type: "part.put", part }])
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 0, bytes: 0 })
  expect(await collect(storage.search({ text: "needle" }))).toHaveLength(1)
})
