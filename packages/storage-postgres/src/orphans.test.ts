import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { noServer, openRaw, openTestStorage, storeSession, temporarySchema } from "../test/place.ts"

const [lost, other] = [sessionID(1), sessionID(2)]

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** A session with a part and a blob, whose row is then gone, and another one. */
async function storeOrphans(schema: string) {
  const storage = await openTestStorage({ schema })
  const blob = await storage.blobs.put(Buffer.from("kept"))
  await storage.commit(lost, [
    { type: "session.put", session: sampleSession(lost) },
    { type: "message.put", message: sampleUserMessage(lost, messageID(1)) },
    { type: "part.put", part: sampleText(lost, messageID(1), partID(1), { text: "needle", metadata: { blob } }) },
  ])
  await storeSession(storage, other)
  await storage.gc({ minAge: 0 })
  const raw = await openRaw()
  await raw.query(`DELETE FROM ${schema}.session WHERE id = $1`, [lost])
  return { storage, raw, blob }
}

it.skipIf(noServer)("finds records, references and derived rows whose session is not there", async () => {
  const { storage, blob } = await storeOrphans(temporarySchema())
  const problems = await collect(storage.verify())
  expect(problems.map(({ kind, subject }) => [kind, subject])).toEqual([
    ["reference", lost],
    ["reference", messageID(1)],
    ["reference", partID(1)],
    ["derived", lost],
    ["reference", blob],
    ["derived", "search"],
  ])
  expect(problems[2]?.message).toBe(
    `The record ${partID(1)} is left out: its session ${lost} is not there. Restore a backup, or rebuild the storage to set it aside.`,
  )
})

it.skipIf(noServer)("sets aside what has no session when it is rebuilt, under the session's name", async () => {
  const schema = temporarySchema()
  const { storage, raw } = await storeOrphans(schema)
  // So that the records themselves have to say whose they are.
  await raw.query(`DELETE FROM ${schema}.listing WHERE id = $1`, [lost])
  await storage.rebuild()
  expect(await collect(storage.verify())).toEqual([])
  expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual([other])
  const { rows } = await raw.query<{ session_id: string; part_id: string; data: string }>(
    `SELECT session_id, part_id, data FROM ${schema}.set_aside ORDER BY message_id, part_id`,
  )
  expect(rows.map(({ session_id: session, part_id: part }) => [session, part])).toEqual([
    [lost, ""],
    [lost, ""],
    [lost, partID(1)],
  ])
  expect(JSON.parse(rows[2]?.data ?? "")).toMatchObject({ text: "needle" })
  expect(await storage.commit(lost, [{ type: "session.put", session: sampleSession(lost) }])).toBe(1)
})

it.skipIf(noServer)("keeps the blobs of what has no session until it is set aside", async () => {
  const { storage, blob } = await storeOrphans(temporarySchema())
  await storage.gc({ minAge: 0 })
  expect(await storage.blobs.get(blob)).toBeDefined()
})

it.skipIf(noServer)("takes what a removal has left to delete for no damage", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  await storeSession(storage, lost)
  await (await openRaw()).query(`SELECT ${schema}.remove_session($1)`, [lost])
  expect(await collect(storage.verify())).toEqual([])
  await storage.rebuild()
  const { rows } = await (await openRaw()).query(`SELECT FROM ${schema}.set_aside`)
  expect(rows).toEqual([])
})
