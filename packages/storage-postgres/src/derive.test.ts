import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { noServer, openTestStorage, serverURL, temporarySchema } from "../test/place.ts"
import { openConnection } from "./connection.ts"
import { catchUp } from "./derive.ts"

const [first, second] = [sessionID(1), sessionID(2)]

function parts(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const part = sampleText(first, messageID(1), partID(index + 1), { text: `needle ${index}` })
    return { type: "part.put", part } as const
  })
}

async function store(storage: Awaited<ReturnType<typeof openTestStorage>>, count: number): Promise<void> {
  await storage.commit(first, [
    { type: "session.put", session: sampleSession(first) },
    { type: "message.put", message: sampleUserMessage(first, messageID(1)) },
    ...parts(count),
  ])
}

it.skipIf(noServer)("keeps blobs and finds words after a rebuild that was interrupted", async () => {
  const storage = await openTestStorage()
  const blob = await storage.blobs.put(Buffer.from("kept"))
  await store(storage, 1)
  await storage.commit(first, [{ type: "session.patch", changes: { metadata: { blob } } }])
  await storage.commit(second, [{ type: "session.put", session: sampleSession(second) }])
  // Takes in all that there is, so that nothing is left to look for.
  await storage.gc({ minAge: 0 })
  await expect(storage.rebuild({ signal: abortedAfter(1) })).rejects.toThrow("interrupted")
  expect(await storage.gc({ minAge: 0 })).toEqual({ blobs: 0, bytes: 0 })
  expect(await storage.blobs.get(blob)).toEqual(new Uint8Array(Buffer.from("kept")))
  expect(await collect(storage.search({ text: "needle" }))).toHaveLength(1)
})

it.skipIf(noServer)("goes on where another process came first and did not finish", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  await store(storage, 900)
  await storage.commit(second, [{ type: "session.put", session: sampleSession(second) }])
  const connection = await openConnection({ url: serverURL, schema })
  let isFirst = true
  await catchUp({
    ...connection,
    async query<Row>(...query: Parameters<typeof connection.query>) {
      // The answer to the first one is lost, so it is sent again.
      if (isFirst && query[0].includes("put_derived")) {
        isFirst = false
        await connection.query(...query)
      }
      return connection.query<Row>(...query)
    },
  })
  await connection.close()
  expect(await collect(storage.search({ text: "needle" }))).toHaveLength(900)
})

it.skipIf(noServer)("takes in thousands of parts at once in any schema", async () => {
  const storage = await openTestStorage()
  await store(storage, 5000)
  expect(await collect(storage.search({ text: "needle", limit: 1 }))).toHaveLength(1)
})

it.skipIf(noServer)("stops between two batches when it is aborted, and goes on later", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  await store(storage, 900)
  const connection = await openConnection({ url: serverURL, schema })
  const abort = new AbortController()
  const stopping: typeof connection = {
    ...connection,
    async query<Row>(...query: Parameters<typeof connection.query>) {
      if (query[0].includes("put_derived")) abort.abort(new Error("stopped"))
      return connection.query<Row>(...query)
    },
  }
  await expect(catchUp(stopping, { signal: abort.signal })).rejects.toThrow("stopped")
  await connection.close()
  expect(await collect(storage.search({ text: "needle" }))).toHaveLength(900)
})

it.skipIf(noServer)("says that it was closed to what goes on over many statements", async () => {
  const storage = await openTestStorage({ poolSize: 1 })
  await store(storage, 900)
  const verified = collect(storage.verify()).catch(String)
  await storage.close()
  expect(await verified).toContain("is closed. Open it again")
})

it.skipIf(noServer)("agrees with the search about a word that is cut within a character", async () => {
  const storage = await openTestStorage()
  await store(storage, 0)
  const part = sampleText(first, messageID(1), partID(1), { text: `${"a".repeat(63)}\u{10330}` })
  await storage.commit(first, [{ type: "part.put", part }])
  expect(await collect(storage.verify())).toEqual([])
})

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}

/** A signal that aborts when it has been asked so many times whether it has. */
function abortedAfter(sessions: number): AbortSignal {
  const controller = new AbortController()
  let left = sessions + 2
  const { signal } = controller
  const throwIfAborted = () => {
    if (left-- === 0) controller.abort(new Error("interrupted"))
    AbortSignal.prototype.throwIfAborted.call(signal)
  }
  return Object.assign(signal, { throwIfAborted })
}
