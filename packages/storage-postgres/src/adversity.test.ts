import { setTimeout as sleep } from "node:timers/promises"
import type { Message, MessageID, MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { noServer, openRaw, openTestStorage, serverURL, temporarySchema } from "../test/place.ts"
import { postgresStorage } from "./postgres-storage.ts"

const id = sessionID(1)

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

function conversation(parts: number) {
  return [
    { type: "session.put", session: sampleSession(id) },
    { type: "message.put", message: sampleUserMessage(id, messageID(1)) },
    ...Array.from({ length: parts }, (_, index) => {
      const part = sampleText(id, messageID(1), partID(index + 1), { text: `needle ${index}` })
      return { type: "part.put", part } as const
    }),
  ] as const
}

it.skipIf(noServer)("sets aside a damaged record whose id has NUL and lone surrogates", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  const odd = "msg_\0\ud800" as MessageID
  const message: Message = { ...sampleUserMessage(id, messageID(1)), id: odd }
  await storage.commit(id, [
    { type: "session.put", session: sampleSession(id) },
    { type: "message.put", message },
  ])
  await (await openRaw()).query(`UPDATE ${schema}.record SET data = '{' WHERE message_id <> ''`)
  expect((await collect(storage.verify())).map(({ subject }) => subject)).toEqual([odd])
  await storage.rebuild()
  expect(await collect(storage.verify())).toEqual([])
})

it.skipIf(noServer)("takes in thousands of parts in a schema with an odd name", async () => {
  const schema = `${temporarySchema()} "o'dd"`
  const raw = await openRaw()
  const storage = await postgresStorage({ url: serverURL, schema })
  try {
    await storage.commit(id, conversation(5000))
    expect(await collect(storage.search({ text: "needle", limit: 1 }))).toHaveLength(1)
  } finally {
    await storage.close()
    await raw.query(`DROP SCHEMA "${schema.replaceAll('"', '""')}" CASCADE`)
  }
})

it.skipIf(noServer)("stores and lists a directory as long as a path may be", async () => {
  const storage = await openTestStorage()
  const directory = `/${Array.from({ length: 2000 }, (_, index) => String.fromCodePoint(0x100 + ((index * index * 7919) % 1999))).join("")}`
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id, { directory }) }])
  expect(await collect(storage.listSessions({ directory }))).toHaveLength(1)
})

it.skipIf(noServer)("lets commits go on while the words of their session are put", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, statementTimeout: 60_000 })
  await storage.commit(id, conversation(1))
  const raw = await openRaw()
  await raw.query("BEGIN")
  const { rows } = await raw.query(
    `SELECT ${schema}.put_derived(s.key, 0, 0, 1, 1, ARRAY[$2], ARRAY[$3], '{needle}', '{}', '{}', '{}') AS put
     FROM ${schema}.session s WHERE s.id = $1`,
    [id, messageID(1), partID(1)],
  )
  expect(rows).toEqual([{ put: true }])
  expect(await storage.commit(id, [{ type: "session.patch", changes: { title: "Meanwhile" } }])).toBe(2)
  await raw.query("COMMIT")
})

it.skipIf(noServer)("ends every method rightly while its connections are terminated", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "cut" })
  const raw = await openRaw()
  const state = { cutting: true }
  // Ever more seldom, so that what takes long comes to its end.
  let pause = 5
  const cutting = (async () => {
    while (state.cutting) {
      await raw.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut'")
      await sleep((pause += 3))
    }
  })()
  try {
    for (let round = 1; round <= 3; round++) await useEverything(storage)
  } finally {
    state.cutting = false
    await cutting
  }
  expect(await collect(storage.listSessions())).toEqual([])
  expect(await collect(storage.verify())).toEqual([])
})

async function useEverything(storage: MaintainedStorage): Promise<void> {
  const blob = await storage.blobs.put(new Uint8Array(300_000).fill(3))
  expect(await storage.commit(id, conversation(20))).toBe(1)
  expect(await storage.commit(id, [{ type: "session.patch", changes: { metadata: { blob } } }])).toBe(2)
  const lease = await storage.acquire(id, "own_a", 60_000)
  await lease?.renew()
  expect(await storage.commit(id, [], lease?.token)).toBe(3)
  await lease?.release()
  expect(await collect(storage.search({ text: "needle" }))).toHaveLength(20)
  expect(await collect(storage.verify())).toEqual([])
  await storage.rebuild()
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 0, bytes: 0 })
  expect((await storage.readContext(id)).messages[0]?.parts).toHaveLength(20)
  expect(await collect(storage.readMessages(id))).toHaveLength(1)
  expect(await storage.readChanges(id, 2)).toEqual([])
  expect((await storage.stats()).records.part.count).toBe(20)
  expect((await storage.blobs.get(blob))?.length).toBe(300_000)
  await storage.removeSession(id)
  expect(await storage.getSession(id)).toBeUndefined()
}
