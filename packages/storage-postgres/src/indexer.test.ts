import type { SessionID, MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { noServer, openTestStorage, serverURL, temporarySchema } from "../test/place.ts"
import { type Connection, openConnection } from "./connection.ts"
import { catchUp, countWork } from "./derive.ts"
import { createIndexer } from "./indexer.ts"
import { search } from "./search.ts"

const PARTS = 900
const [older, newer] = [sessionID(1), sessionID(2)]

/** Two sessions with the same parts, none of which is indexed. */
async function stored(): Promise<{ storage: MaintainedStorage; connection: Connection }> {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  for (const id of [older, newer]) {
    await storage.commit(id, [
      { type: "session.put", session: sampleSession(id, { directory: `/srv/${id}` }) },
      { type: "message.put", message: sampleUserMessage(id, messageID(1)) },
      ...Array.from({ length: PARTS }, (_, index) => {
        const part = sampleText(id, messageID(1), partID(index + 1), { text: `needle ${index}` })
        return { type: "part.put", part } as const
      }),
    ])
  }
  const connection = await openConnection({ url: serverURL, schema })
  onTestFinished(() => connection.close())
  return { storage, connection }
}

/** The sessions of what is found, with how often. */
async function found(hits: AsyncIterable<{ readonly sessionID: SessionID }>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for await (const { sessionID: id } of hits) counts[id] = (counts[id] ?? 0) + 1
  return counts
}

/** An indexer that waits for `maxRecords`, what it says, and when it says that it is done. */
function indexerOf(connection: Connection, maxRecords: number) {
  const notices: string[] = []
  const { promise: completed, resolve } = Promise.withResolvers<void>()
  const onNotice = (message: string) => {
    notices.push(message)
    if (message.endsWith("is complete.")) resolve()
  }
  const indexer = createIndexer(connection, { maxRecords, recordsPerNotice: 500, onNotice })
  onTestFinished(() => indexer.close())
  return { indexer, notices, completed }
}

it.skipIf(noServer).each([
  ["a session", { sessionID: older }],
  ["a directory", { directory: `/srv/${older}` }],
])("indexes what a search of %s needs, and no other session", async (_what, scope) => {
  const { storage, connection } = await stored()
  expect(await found(storage.search({ text: "needle", ...scope }))).toEqual({ [older]: PARTS })
  expect(await countWork(connection)).toBe(1)
  expect(await found(storage.search({ text: "needle" }))).toEqual({ [older]: PARTS, [newer]: PARTS })
  expect(await countWork(connection)).toBe(0)
})

it.skipIf(noServer)("indexes the session first that changed last, and stops where it is told to", async () => {
  const { connection } = await stored()
  expect(await catchUp(connection, { maxRecords: 300 })).toBe(false)
  const counts = await found(search(connection, { text: "needle" }, async () => undefined))
  expect(Object.keys(counts)).toEqual([newer])
  expect(counts[newer]).toBeGreaterThanOrEqual(300)
  expect(counts[newer]).toBeLessThan(PARTS)
})

it.skipIf(noServer)("answers while much is indexed in the background, says so, and finds all in the end", async () => {
  const { connection } = await stored()
  const { indexer, notices, completed } = indexerOf(connection, 300)
  const counts = await found(search(connection, { text: "needle" }, indexer.prepare))
  expect(counts[newer]).toBeGreaterThanOrEqual(300)
  expect(notices[0]).toMatch(
    /^The search index of postgres:.* is being built; 2 sessions are left\. Until it is complete/,
  )
  await completed
  expect(notices.some((notice) => notice.endsWith("more records indexed."))).toBe(true)
  expect(await found(search(connection, { text: "needle" }, indexer.prepare))).toEqual({
    [older]: PARTS,
    [newer]: PARTS,
  })
})

it.skipIf(noServer)("waits for few records, and says nothing", async () => {
  const { connection } = await stored()
  const { indexer, notices } = indexerOf(connection, 10_000)
  expect(await found(search(connection, { text: "needle" }, indexer.prepare))).toEqual({
    [older]: PARTS,
    [newer]: PARTS,
  })
  expect(notices).toEqual([])
})

it.skipIf(noServer)(
  "indexes all of the scope for a search that waits, says how far it is, and stops with its signal",
  async () => {
    const { connection } = await stored()
    const { indexer, notices } = indexerOf(connection, 1)
    const reports: [number, number][] = []
    const stop = new AbortController()
    const onProgress = (done: number, total: number) => {
      reports.push([done, total])
      stop.abort(new Error("enough"))
    }
    await indexer.prepare(undefined, { signal: stop.signal, onProgress })
    // Each session has its own record and a message as well.
    expect(reports).toEqual([[200, 2 * (PARTS + 2)]])
    expect(await countWork(connection)).toBe(2)
    const rest: [number, number][] = []
    await indexer.prepare(undefined, { onProgress: (...report) => void rest.push(report) })
    expect(rest.at(-1)).toEqual([2 * (PARTS + 2) - 200, 2 * (PARTS + 2) - 200])
    expect(await countWork(connection)).toBe(0)
    expect(notices).toEqual([])
  },
)

it.skipIf(noServer)("stops in the background when it is closed, and another one goes on", async () => {
  const { connection } = await stored()
  const first = indexerOf(connection, 1)
  await first.indexer.prepare(undefined)
  await first.indexer.close()
  const next = indexerOf(connection, 10_000)
  await next.indexer.prepare(undefined)
  expect(await countWork(connection)).toBe(0)
})
