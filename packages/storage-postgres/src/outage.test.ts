import { type MaintainedStorage, StorageError, type WatchedChange } from "@pawl/core/storage"
import { messageID, sampleSession, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { setTimeout as sleep } from "node:timers/promises"
import type { Client } from "pg"
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest"
import { openRaw, openTestStorage, serverURL, temporaryName, temporarySchema, noServer } from "../test/place.ts"
import { postgresStorage } from "./postgres-storage.ts"
import { findBinaries, startTestServer, type TestServer } from "@pawl/postgres-test-server"

/** One that can be stopped; only where its binaries are there. */
let server: TestServer

beforeAll(async () => {
  if (findBinaries()) server = await startTestServer()
})
beforeEach(() => server?.start())
afterAll(() => server?.[Symbol.asyncDispose]())

const id = sessionID(1)
const put = (number: number) => [{ type: "message.put", message: sampleUserMessage(id, messageID(number)) }] as const
const store = (storage: MaintainedStorage) => storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
const rename = (title: string) => [{ type: "session.patch", changes: { title } }] as const

/** Commits message after message while `disturb` runs, and expects each one exactly once, in order, without a gap. */
async function expectNoneLostNorTwice(storage: MaintainedStorage, disturb: () => Promise<void>): Promise<void> {
  await store(storage)
  const state = { disturbing: true }
  const disturbed = disturb().finally(() => (state.disturbing = false))
  let count = 0
  while (state.disturbing || count < 10) {
    expect(await storage.commit(id, put(count + 1))).toBe(count + 2)
    count++
  }
  await disturbed
  const { messages, revision } = await storage.readContext(id)
  expect(messages).toHaveLength(count)
  expect(revision).toBe(count + 1)
}

/** Ends every connection of a storage. */
async function terminate(raw: Client, applicationName: string, where = "true"): Promise<number> {
  const { rows } = await raw.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid() AND ${where}`,
    [applicationName],
  )
  return rows.length
}

it.skipIf(noServer)("commits each message once while its connections are terminated", async () => {
  const storage = await openTestStorage({ applicationName: "terminated" })
  const raw = await openRaw()
  await expectNoneLostNorTwice(storage, async () => {
    let ended = 0
    while (ended < 10) {
      ended += await terminate(raw, "terminated")
      await sleep(3)
    }
  })
})

it.skipIf(noServer || !findBinaries())(
  "commits each message once while the server crashes and is started again",
  async () => {
    const storage = await openTestStorage({ url: server.url, schema: temporaryName() })
    await expectNoneLostNorTwice(storage, async () => {
      for (let time = 0; time < 2; time++) {
        await sleep(50)
        await server.stop("immediate")
        await sleep(20)
        await server.start()
      }
    })
  },
)

it.skipIf(noServer || !findBinaries())(
  "tells watchers of what was committed while the server was away, and after",
  async () => {
    const schema = temporaryName()
    const [storage, other] = [
      await openTestStorage({ url: server.url, schema }),
      await openTestStorage({ url: server.url, schema }),
    ]
    const abort = new AbortController()
    const changes = storage.watch({}, abort.signal)[Symbol.asyncIterator]()
    await store(other)
    expect((await changes.next()).value).toEqual({ sessionID: id, revision: 1 })
    await server.stop("immediate")
    const committed = other.commit(id, rename("During"))
    await server.start()
    expect(await committed).toBe(2)
    expect((await changes.next()).value).toEqual({ sessionID: id, revision: 2 })
    await other.commit(id, rename("After"))
    expect((await changes.next()).value).toEqual({ sessionID: id, revision: 3 })
    abort.abort()
  },
)

it.skipIf(noServer || !findBinaries())(
  "gives up after its time, names the server and the next step, and goes on when it is back",
  async () => {
    const url = server.url.replace("postgres@", "postgres:secret@")
    const storage = await openTestStorage({ url, schema: temporaryName(), retryTimeout: 100 })
    await store(storage)
    await server.stop("immediate")
    const failed = storage.commit(id, put(1))
    await expect(failed).rejects.toThrow(StorageError)
    await expect(failed).rejects.toThrow(
      /postgres@127\.0\.0\.1:\d+\/postgres\S* could not be reached.*Check that the server runs/,
    )
    await expect(failed).rejects.not.toThrow("secret")
    await expect(storage.getSession(id)).rejects.toThrow(StorageError)
    await server.start()
    expect(await storage.commit(id, put(2))).toBe(2)
  },
)

it.skipIf(noServer || !findBinaries())(
  "waits with one notice when it is opened while the server is away, and while it is starting",
  async () => {
    const schema = temporaryName()
    await store(await openTestStorage({ url: server.url, schema }))
    await server.stop("immediate")
    const notices: string[] = []
    const noticed = Promise.withResolvers<void>()
    const onNotice = (message: string) => {
      notices.push(message)
      noticed.resolve()
    }
    const opening = openTestStorage({ url: server.url, schema, openTimeout: 60_000, retryTimeout: 60_000, onNotice })
    // Nobody answers, which would have ended the opening.
    await Promise.race([noticed.promise, opening])
    await server.start()
    expect((await (await opening).getSession(id))?.id).toBe(id)
    expect(notices).toEqual([
      expect.stringMatching(
        /^postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres\S* does not answer \(.+\)\. Trying again for up to 60 s\.$/,
      ),
    ])
  },
)

it.skipIf(noServer)("gives up opening after its time where no server is", async () => {
  const notices: string[] = []
  const onNotice = (message: string) => notices.push(message)
  const opening = postgresStorage({ url: "postgres://ada@127.0.0.1:1/x", openTimeout: 50, onNotice })
  await expect(opening).rejects.toThrow("postgres://ada@127.0.0.1:1/x could not be reached for 0 s")
  expect(notices).toHaveLength(1)
})

it.skipIf(noServer)("hears again after the connection that listens was terminated", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "listening", pollInterval: 60_000 })
  const other = await openTestStorage({ schema })
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const changes = storage.watch({}, abort.signal)[Symbol.asyncIterator]()
  await store(other)
  expect((await changes.next()).value).toEqual({ sessionID: id, revision: 1 })
  const raw = await openRaw()
  // The first change may be found by looking, before anything listens.
  await expect.poll(() => terminate(raw, "listening", "query LIKE 'LISTEN%'")).toBe(1)
  for (const revision of [2, 3]) {
    await other.commit(id, rename(`Revision ${revision}`))
    expect((await changes.next()).value).toEqual({ sessionID: id, revision })
  }
})

it.skipIf(noServer)("finds others' commits by looking where nothing listens", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, listenURL: false, pollInterval: 10, applicationName: "polling" })
  const other = await openTestStorage({ schema })
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const changes = storage.watch({}, abort.signal)[Symbol.asyncIterator]()
  const next: Promise<IteratorResult<WatchedChange>> = changes.next()
  await store(other)
  expect((await next).value).toEqual({ sessionID: id, revision: 1 })
  const { rows } = await (
    await openRaw()
  ).query("SELECT FROM pg_stat_activity WHERE application_name = 'polling' AND query LIKE 'LISTEN%'")
  expect(rows).toEqual([])
})

it.skipIf(noServer)("recognizes a commit that it sends again, though others committed since", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema })
  await store(storage)
  const raw = await openRaw()
  const commit = (writer: string, number: number) =>
    raw.query(
      `SELECT o_revision FROM ${schema}.commit_writes($1, $2, $3, NULL, NULL, false, NULL, NULL, '{put}', '{msg_1}', '{""}', '{"{}"}')`,
      [id, writer, number],
    )
  const writers = [1, 2].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [string, string]
  const revisions = []
  for (const [writer, number] of [
    [writers[0], 1],
    [writers[0], 1],
    [writers[1], 1],
    [writers[0], 1],
    [writers[0], 2],
    [writers[1], 1],
  ] as const) {
    const { rows } = await commit(writer, number)
    revisions.push(Number(rows[0]?.o_revision))
  }
  expect(revisions).toEqual([2, 2, 3, 2, 4, 3])
})

it.skipIf(noServer)("works behind a pooler that gives each statement another connection", async () => {
  const schema = temporarySchema()
  const storage = await openTestStorage({ schema, applicationName: "pooled" })
  const raw = await openRaw()
  await store(storage)
  const lease = await storage.acquire(id, "own_a", 60_000)
  for (let number = 1; number <= 5; number++) {
    await terminate(raw, "pooled")
    await storage.commit(id, put(number), lease?.token)
  }
  expect((await storage.readContext(id)).revision).toBe(6)
})

it.skipIf(noServer)("says what is wrong with a URL, a password or a database", async () => {
  const { host, username } = new URL(serverURL)
  const opening = (url: string) => postgresStorage({ url, retryTimeout: 50 })
  await expect(opening(`postgres://${username}:secret@${host}/nowhere`)).rejects.toThrow(
    /\/nowhere does not exist as a database/,
  )
  await expect(opening(`postgres://${username}:secret@127.0.0.1:1/x`)).rejects.toThrow(
    "postgres@127.0.0.1:1/x could not be reached",
  )
  await expect(opening(`postgres://nobody_there:secret@${host}/postgres`)).rejects.toThrow(
    /does not let this user in|refused/,
  )
  await expect(opening(`postgres://${username}@${host}/postgres?sslmode=require`)).rejects.toThrow(
    "could not be reached with encryption",
  )
})

it.skipIf(noServer)("prepares statements when asked to", async () => {
  const storage = await openTestStorage({ preparedStatements: true, poolSize: 1 })
  await store(storage)
  for (let number = 1; number <= 5; number++) await storage.commit(id, put(number))
  expect((await storage.readContext(id)).messages).toHaveLength(5)
})
