import { statSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { sessionID } from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { openRaw, openStorage, storeSession, temporaryFile } from "../test/place.ts"
import type { Connection } from "./connection.ts"
import { openConnection } from "./open-connection.ts"
import { createStorage } from "./sqlite-storage.ts"

it("writes nothing while nothing happens", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path, { pollInterval: 1 })
  await storeSession(storage, sessionID(1))
  const abort = new AbortController()
  const waiting = storage.watch({}, abort.signal)[Symbol.asyncIterator]().next()
  const state = () => [path, `${path}-wal`].map((name) => [statSync(name).size, statSync(name).mtimeMs])
  const before = state()
  await sleep(50)
  expect(state()).toEqual(before)
  abort.abort()
  expect((await waiting).done).toBe(true)
})

it("looks for foreign commits only while there are watchers", async () => {
  const connection = await connect()
  const seen = { polls: 0 }
  const counting = {
    ...connection,
    statement: (sql: string) => {
      if (sql === "PRAGMA data_version") seen.polls++
      return connection.statement(sql)
    },
  }
  const storage = createStorage(counting, { pollInterval: 1 })
  await sleep(20)
  expect(seen.polls).toBe(0)
  const abort = new AbortController()
  const changes = storage.watch({}, abort.signal)
  while (seen.polls === 0) await sleep(1)
  abort.abort()
  const { polls } = seen
  await sleep(20)
  expect(seen.polls).toBe(polls)
  for await (const change of changes) expect.unreachable(`told of ${change.sessionID} after the end`)
})

it("ends watchers with the reason when the file can no longer be read", async () => {
  const connection = await connect()
  let broken = false
  const breaking = {
    ...connection,
    statement: (sql: string) => {
      if (broken && sql === "PRAGMA data_version") throw Object.assign(new Error("disk I/O error"), { errcode: 10 })
      return connection.statement(sql)
    },
  }
  const storage = createStorage(breaking, { pollInterval: 1 })
  const change = storage.watch({}, new AbortController().signal)[Symbol.asyncIterator]().next()
  broken = true
  await expect(change).rejects.toThrow(`${connection.path} could not be read or written (disk I/O error)`)
  await storeSession(storage, sessionID(1))
})

it("tells of every session when the newest commits were lost with a part of the file", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path, { pollInterval: 1 })
  for (const number of [1, 2, 3]) await storeSession(storage, sessionID(number))
  const abort = new AbortController()
  const changes = storage.watch({}, abort.signal)
  openRaw(path).exec("PRAGMA foreign_keys = ON; DELETE FROM session WHERE key > 1")
  await storeSession(storage, sessionID(4))
  const told = new Set<string>()
  for await (const { sessionID: id } of changes) if (told.add(id).size === 2) abort.abort()
  expect(told).toEqual(new Set([1, 4].map(sessionID)))
})

async function connect(): Promise<Connection> {
  const connection = await openConnection({ path: temporaryFile(), durability: "sync", lockTimeout: 1000 })
  onTestFinished(() => connection.close())
  return connection
}
