import type { MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { dropSchema, noServer, serverURL, temporaryName } from "../test/place.ts"
import { readSeen } from "./change-feed.ts"
import { openConnection } from "./connection.ts"
import { createStorage, postgresStorage } from "./postgres-storage.ts"

const [session, small] = [sessionID(1), sessionID(2)]
const MB = 1024 * 1024
const MESSAGES = 24
/** One for all tests here: to fill it takes longer than to read it. */
const schema = temporaryName()
const TEXT = `needle ${"word ".repeat(50_000)}`

/** Messages with a part of 250 KB each: 6 MB. */
async function storeLarge(storage: MaintainedStorage): Promise<void> {
  await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
  for (let number = 1; number <= MESSAGES; number++) {
    await storage.commit(session, [
      { type: "message.put", message: sampleUserMessage(session, messageID(number)) },
      { type: "part.put", part: sampleText(session, messageID(number), partID(number), { text: TEXT }) },
    ])
  }
  await storage.commit(small, [{ type: "session.put", session: sampleSession(small) }])
}

beforeAll(async () => {
  if (noServer) return
  const storage = await postgresStorage({ url: serverURL, schema })
  await storeLarge(storage)
  await storage.close()
})
afterAll(async () => {
  if (!noServer) await dropSchema(schema)
})

/** The storage, with the most that one of its statements gave or took. */
async function openMeasured() {
  const options = { url: serverURL, schema }
  const connection = await openConnection(options)
  const most = { given: 0, taken: 0 }
  const measured: typeof connection = {
    ...connection,
    async query<Row>(...query: Parameters<typeof connection.query>) {
      const rows = await connection.query<Row>(...query)
      most.given = Math.max(most.given, JSON.stringify(rows).length)
      most.taken = Math.max(most.taken, JSON.stringify(query[1] ?? []).length)
      return rows
    },
  }
  const storage = createStorage(measured, options, await readSeen(connection))
  onTestFinished(() => storage.close())
  return { storage, most }
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let found = 0
  for await (const _ of items) found++
  return found
}

it.skipIf(noServer).each([
  ["messages", (storage: MaintainedStorage) => count(storage.readMessages(session)), MESSAGES],
  [
    "the first ones of messages",
    (storage: MaintainedStorage) => count(storage.readMessages(session, { limit: 20 })),
    20,
  ],
  ["what is found", (storage: MaintainedStorage) => count(storage.search({ text: "needle" })), MESSAGES],
  ["what is verified", (storage: MaintainedStorage) => count(storage.verify()), 0],
  ["what is rebuilt", (storage: MaintainedStorage) => storage.rebuild(), undefined],
])("reads %s by size, however many there are", async (_what, read, expected) => {
  const { storage, most } = await openMeasured()
  expect(await read(storage)).toBe(expected)
  // The last record of a batch may go beyond its size.
  expect(most.given).toBeLessThan(4.5 * MB)
  expect(most.taken).toBeLessThan(4.5 * MB)
})
