import { chmodSync, copyFileSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { canMount, inMountNamespace, NEEDS_MOUNT } from "../test/mount.ts"
import { collect, openRaw, openStorage, storeSession, temporaryDirectory, temporaryFile } from "../test/place.ts"
import { toStorageError } from "./errors.ts"
import { openReadOnly } from "./read-only.ts"
import { createStorage } from "./sqlite-storage.ts"

const session = sessionID(1)
const denied = Object.assign(new Error("EROFS: read-only file system"), { code: "EROFS" })

async function storedFile(): Promise<string> {
  const path = temporaryFile()
  const storage = await openStorage(path)
  await storeSession(storage, session)
  await storage.close()
  return path
}

async function readOnly(path: string) {
  const refused = () => Promise.reject(toStorageError(denied, path))
  const connection = await openReadOnly({ path, durability: "sync", lockTimeout: 100 }, refused)
  return createStorage(connection)
}

// Root may write everything, so the file is opened as another user then.
const user = process.getuid?.() === 0 ? ["65534"] : []

it.runIf(process.platform !== "win32").each([
  ["a read-only file", 0o444, 0o777],
  ["a read-only directory", 0o666, 0o555],
])("lists and reads what is in %s, makes nothing beside it, and says at the first write what to do", async (...row) => {
  const [, file, directory] = row
  const path = await storedFile()
  const before = readdirSync(dirname(path))
  chmodSync(path, file)
  chmodSync(dirname(path), directory)
  const child = startChild("read-and-write.ts", [path, ...user])
  const lines = [(await child.lines.next()).value, (await child.lines.next()).value]
  const after = readdirSync(dirname(path))
  chmodSync(dirname(path), 0o755)
  expect(lines[0]).toBe(`listed ${session}, read revision 1`)
  expect(lines[1]).toMatch(/^StorageError: .*pawl\.db cannot be opened for writing \(.*\)\. Give this user the right/)
  expect(after).toEqual(before)
})

it("reads beside a process that writes, as it goes on", async () => {
  const path = await storedFile()
  const writer = await openStorage(path)
  const reader = await readOnly(path)
  await storeSession(writer, sessionID(2))
  expect(await collect(reader.listSessions())).toHaveLength(2)
  await reader.close()
})

it("sees what was written since it found nobody writing", async () => {
  const path = await storedFile()
  const reader = await readOnly(path)
  expect((await reader.readContext(session)).revision).toBe(1)
  const writer = await openStorage(path)
  await writer.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(1)) }])
  expect((await reader.readContext(session)).revision).toBe(2)
  await writer.close()
  expect((await reader.readContext(session)).messages).toHaveLength(1)
  await reader.close()
  await expect(reader.readContext(session)).rejects.toThrow("is closed")
})

it("says that a file of an older version has to be written to be read", async () => {
  const path = await storedFile()
  const raw = openRaw(path)
  raw.exec("PRAGMA user_version = 2")
  raw.close()
  await expect(readOnly(path)).rejects.toThrow(`${path} was written by an older pawl and cannot be brought up to date`)
})

it("reads a missing file, or one without tables, as empty, and goes on with the file that is made later", async () => {
  for (const content of [undefined, ""]) {
    const path = temporaryFile()
    if (content !== undefined) writeFileSync(path, content)
    const reader = await readOnly(path)
    expect(await collect(reader.listSessions())).toEqual([])
    expect(await reader.getSession(session)).toBeUndefined()
    expect(await collect(reader.search({ text: "needle" }))).toEqual([])
    expect(await collect(reader.verify())).toEqual([])
    expect(readdirSync(dirname(path))).toHaveLength(content === undefined ? 0 : 1)
    await storeSession(await openStorage(path), session)
    expect(await collect(reader.listSessions())).toHaveLength(1)
    await reader.close()
  }
})

const textOf = (number: number) => ({ text: `needle ${number}` })

/** A file whose newest commits stand in the write-ahead log alone, as behind a killed process, without the shared index. */
async function fileWithLog(): Promise<string> {
  const original = temporaryFile()
  const writer = await openStorage(original)
  await storeSession(writer, session)
  await writer.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(1)) }])
  expect(await collect(writer.search({ text: "needle" }))).toEqual([])
  for (const number of [1, 2]) {
    const part = sampleText(session, messageID(1), partID(number), textOf(number))
    await writer.commit(session, [{ type: "part.put", part }])
  }
  const copy = temporaryFile()
  for (const suffix of ["", "-wal"]) copyFileSync(original + suffix, copy + suffix)
  return copy
}

/** A link that leads nowhere is in the place of the shared index. */
function forbidSharedIndex(path: string): void {
  symlinkSync(join(dirname(path), "missing", "directory"), `${path}-shm`)
}

it("reads all commits where the log's shared index cannot be made, and writes once it can", async () => {
  const path = await fileWithLog()
  forbidSharedIndex(path)
  const storage = await openStorage(path)
  const parts = async () => (await storage.readContext(session)).messages[0]?.parts.map(({ id }) => id)
  expect(await parts()).toEqual([1, 2].map(partID))
  const rename = () => storage.commit(session, [{ type: "session.patch", changes: { title: "Later" } }])
  await expect(rename()).rejects.toThrow(path)
  expect(await parts()).toEqual([1, 2].map(partID))
  rmSync(`${path}-shm`)
  await rename()
  expect((await storage.getSession(session))?.title).toBe("Later")
  expect(await parts()).toEqual([1, 2].map(partID))
})

it("searches and counts what its tables of words and sizes lack", async () => {
  const path = await fileWithLog()
  forbidSharedIndex(path)
  const storage = await openStorage(path)
  const found = async (limit?: number) =>
    (await collect(storage.search({ text: "needle", ...(limit === undefined ? {} : { limit }) }))).map(
      ({ partID: id }) => id,
    )
  expect(await found()).toEqual([2, 1].map(partID))
  expect(await found(1)).toEqual([partID(2)])
  expect(await collect(storage.search({ text: "needle", directory: "/elsewhere" }))).toEqual([])
  const { records } = await storage.stats()
  expect([records.session.count, records.message.count, records.part.count]).toEqual([1, 1, 2])
  await storage.backup(join(temporaryDirectory(), "backup.db"))
})

it("reads again what changed while it was read without locks", async () => {
  const path = await storedFile()
  const refused = () => Promise.reject(toStorageError(denied, path))
  const connection = await openReadOnly({ path, durability: "sync", lockTimeout: 10_000 }, refused)
  let readings = 0
  const read = () => {
    readings++
    if (readings === 1) utimesSync(path, 1, 1)
    return readings
  }
  expect(await connection.read(read)).toBe(2)
  await connection.close()
})

it("reads again where reading failed while the file changed, and reports what fails without a change", async () => {
  const path = await storedFile()
  const refused = () => Promise.reject(toStorageError(denied, path))
  const connection = await openReadOnly({ path, durability: "sync", lockTimeout: 10_000 }, refused)
  let readings = 0
  const read = (changes: boolean) => () => {
    readings++
    if (readings > 1) return readings
    if (changes) utimesSync(path, 1, 1)
    throw new Error("malformed")
  }
  expect(await connection.read(read(true))).toBe(2)
  readings = 0
  await expect(connection.read(read(false))).rejects.toThrow("malformed")
  await connection.close()
})

it("leaves no backup of a file that changed while it was copied without locks", async () => {
  const path = await storedFile()
  const storage = await readOnly(path)
  const to = join(temporaryDirectory(), "backup.db")
  let looks = 0
  // Looked at before the file is opened, and once all of it is copied.
  const throwIfAborted = () => void (++looks === 2 && utimesSync(path, 1, 1))
  const signal = Object.assign(new AbortController().signal, { throwIfAborted })
  await expect(storage.backup(to, { signal })).rejects.toThrow("changed while it was read")
  expect(readdirSync(dirname(to))).toEqual([])
  await storage.backup(to)
  await storage.close()
})

it("reads what a log beside the file holds that a link leads to", async () => {
  const path = await fileWithLog()
  const link = join(temporaryDirectory(), "link.db")
  symlinkSync(path, link)
  const { messages } = await (await readOnly(link)).readContext(session)
  expect(messages[0]?.parts.map(({ id }) => id)).toEqual([1, 2].map(partID))
})

it("reads beside another reader where the log's shared index cannot be made", async () => {
  const path = await fileWithLog()
  forbidSharedIndex(path)
  const readers = [await openStorage(path), await openStorage(path)]
  const revisions = await Promise.all(readers.map((reader) => reader.readContext(session)))
  expect(revisions.map(({ revision }) => revision)).toEqual([4, 4])
})

it.for([
  ["full", /^StorageError: The disk that holds .*pawl\.db is full\. Free some space/],
  ["without room for another file", /^StorageError: The disk that holds .*pawl\.db is full\. Free some space/],
  ["read-only", /^StorageError: .*pawl\.db cannot be opened for writing .* mounted read-only: mount it for writing/],
] as const)(
  "reads all commits on a disk that is %s, and writes once it takes writes again",
  async ([state, refusal], { skip }) => {
    skip(!canMount(), NEEDS_MOUNT)
    const source = await fileWithLog()
    const child = startChild("read-on-full-disk.ts", [source, temporaryDirectory(), state], inMountNamespace)
    const lines = []
    for (let line = await child.lines.next(); !line.done; line = await child.lines.next()) lines.push(line.value)
    expect([lines, (await child.ended).stderr]).toEqual([
      [sampleSession(session).title, expect.stringMatching(refusal), "committed"],
      "",
    ])
  },
)
