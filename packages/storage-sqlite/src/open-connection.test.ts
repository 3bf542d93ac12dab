import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { StorageError } from "@pawl/core/storage"
import { messageID, partID, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { startChild } from "../test/child.ts"
import { canMount, inMountNamespace, NEEDS_MOUNT } from "../test/mount.ts"
import { openRaw, openStorage, storeSession, temporaryDirectory, temporaryFile } from "../test/place.ts"
import type { Connection } from "./connection.ts"
import { openConnection } from "./open-connection.ts"
import { createStorage } from "./sqlite-storage.ts"

const session = sessionID(1)
const rename = (title: string) => [{ type: "session.patch", changes: { title } } as const]

async function connect(path: string, durability: "sync" | "async" = "sync"): Promise<Connection> {
  const connection = await openConnection({ path, durability, lockTimeout: 10_000 })
  onTestFinished(() => connection.close())
  return connection
}

it("rolls back what work did before it threw, and goes on", async () => {
  const connection = await connect(temporaryFile())
  const insert = () => connection.statement("INSERT INTO progress (name, key) VALUES ('a', 0)").run()
  const failing = connection.write(() => {
    insert()
    throw new Error("no")
  })
  await expect(failing).rejects.toThrow("no")
  expect(connection.statement("SELECT count(*) AS count FROM progress").get()).toEqual({ count: 0 })
  await connection.write(insert)
  expect(connection.statement("SELECT count(*) AS count FROM progress").get()).toEqual({ count: 1 })
})

it("says that the disk is full, keeps what it had, and goes on once there is space", async () => {
  const path = temporaryFile()
  const connection = await connect(path)
  const storage = createStorage(connection)
  await storeSession(storage, session)
  await storage.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(1)) }])
  const store = (number: number) => {
    const part = sampleText(session, messageID(1), partID(number), { text: "x".repeat(100_000) })
    return storage.commit(session, [{ type: "part.put", part }])
  }
  connection.statement("PRAGMA max_page_count = 300").get()
  await store(1)
  await store(2)
  const full = `The disk that holds ${path} is full. Free some space and try again: what was committed is there.`
  await expect(store(3)).rejects.toThrow(full)
  await expect(store(3)).rejects.toThrow(StorageError)
  connection.statement("PRAGMA max_page_count = 100000").get()
  expect((await storage.readContext(session)).messages[0]?.parts.map(({ id }) => id)).toEqual([1, 2].map(partID))
  expect(await store(3)).toBe(5)
})

it("survives a disk that is really full", async ({ skip }) => {
  skip(!canMount(), NEEDS_MOUNT)
  const child = startChild("fill-disk.ts", [temporaryDirectory()], inMountNamespace)
  expect((await child.lines.next()).value).toMatch(/^StorageError: The disk that holds .* is full\./)
  const counts = /^(\d+) acknowledged, (\d+) parts, revision (\d+)$/.exec(String((await child.lines.next()).value))
  const stored = Number(counts?.[1])
  expect(stored).toBeGreaterThan(5)
  expect(counts?.slice(2).map(Number)).toEqual([stored, stored + 1])
})

it("waits for another process's lock without holding up this one", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
  const raw = openRaw(path)
  raw.exec("BEGIN IMMEDIATE")
  let done = false
  const commit = storage.commit(session, rename("waited")).finally(() => (done = true))
  await sleep(50)
  expect(done).toBe(false)
  expect(await storage.getSession(session)).toBeDefined()
  raw.exec("COMMIT")
  expect(await commit).toBe(2)
})

it("gives up after a while, names the lock and writes nothing", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path, { lockTimeout: 50 })
  await storeSession(storage, session)
  const raw = openRaw(path)
  raw.exec("BEGIN IMMEDIATE")
  const commit = storage.commit(session, rename("never"))
  await expect(commit).rejects.toThrow(`Another process holds a write lock on ${path}`)
  raw.exec("COMMIT")
  expect(await storage.commit(session, rename("then"))).toBe(2)
})

it("finishes a commit that waits when the storage is closed", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
  const raw = openRaw(path)
  raw.exec("BEGIN IMMEDIATE")
  const commit = storage.commit(session, rename("waited"))
  const closed = storage.close()
  await expect(storage.commit(session, rename("too late"))).rejects.toThrow("is closed")
  await sleep(20)
  raw.exec("COMMIT")
  expect(await commit).toBe(2)
  await closed
  expect((await (await openStorage(path)).getSession(session))?.title).toBe("waited")
})

it("says that it is closed to a read that had to wait until then", async () => {
  const path = temporaryFile()
  const connection = await connect(path)
  let attempts = 0
  const read = connection.read(() => {
    attempts++
    throw Object.assign(new Error("database is locked"), { errcode: 5 })
  })
  await connection.close()
  await expect(read).rejects.toThrow(`The storage sqlite:${path} is closed.`)
  expect(attempts).toBe(1)
})

it("commits in the order asked for when the first had to wait", async () => {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
  const raw = openRaw(path)
  raw.exec("BEGIN IMMEDIATE")
  const first = storage.commit(session, rename("first"))
  await sleep(20)
  raw.exec("COMMIT")
  const second = storage.commit(session, rename("second"))
  expect([await first, await second]).toEqual([2, 3])
  expect((await storage.getSession(session))?.title).toBe("second")
})

it.each([
  ["sync", 2],
  ["async", 1],
] as const)("asks the disk for what durability %s promises", async (durability, synchronous) => {
  const connection = await connect(temporaryFile(), durability)
  expect(connection.statement("PRAGMA synchronous").get()).toEqual({ synchronous })
})

it("maps the file for one read alone, whether it succeeds or fails", async () => {
  const connection = await connect(temporaryFile())
  const mapped = () => Number(connection.statement("PRAGMA mmap_size").get()?.["mmap_size"])
  expect(await connection.readMapped(mapped)).toBeGreaterThan(0)
  expect(mapped()).toBe(0)
  const failing = connection.readMapped(() => {
    throw new Error("no")
  })
  await expect(failing).rejects.toThrow("no")
  expect(mapped()).toBe(0)
})

it("leaves one file behind when the last handle is closed", async () => {
  const path = temporaryFile()
  const [first, second] = [await openStorage(path), await openStorage(path)]
  await storeSession(first, session)
  await first.close()
  expect(existsSync(`${path}-wal`)).toBe(true)
  await second.close()
  expect([existsSync(path), existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([true, false, false])
})

it.each([
  ["no database at all", (path: string) => writeFileSync(path, "not a database ".repeat(1000))],
  ["a few bytes that are no database", (path: string) => writeFileSync(path, "hello")],
  ["a database cut short", (path: string) => execFileSync("truncate", ["-s", "9000", path])],
  ["a database with noise in it", overwritePages],
])("refuses %s and leaves it as it is", async (_, damage) => {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
  await storage.close()
  damage(path)
  const before = execFileSync("sha256sum", [path]).toString()
  const use = async () => (await openStorage(path)).readContext(session)
  await expect(use()).rejects.toThrow(`${path} is damaged`)
  await expect(use()).rejects.toThrow("Move it away together with pawl.db-wal")
  expect(execFileSync("sha256sum", [path]).toString()).toBe(before)
})

/** Every page but the first, which says that it is a database. */
function overwritePages(path: string): void {
  const bytes = readFileSync(path)
  bytes.fill("noise", 1024)
  writeFileSync(path, bytes)
}
