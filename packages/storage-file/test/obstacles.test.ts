// What stands in the way of a storage: files of others where records belong, copies of directories, and files that
// cannot be read or written.
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { StorageError } from "@pawl/core/storage"
import { currentProcess } from "@pawl/storage-kit"
import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it, onTestFinished } from "vitest"
import { createStorage } from "../src/file-storage.ts"
import type { FileChange } from "../src/file-change.ts"
import { entryLine } from "../src/journal.ts"
import type { FileSystem } from "../src/file-system.ts"
import { nodeFileSystem } from "../src/node-file-system.ts"
import { collect, openStorage, temporaryDirectory } from "./place.ts"

const session = sessionID(1)
const other = sessionID(2)
const putSession = (id = session) => ({ type: "session.put", session: sampleSession(id) }) as const
const putMessage = (number: number) =>
  ({ type: "message.put", message: sampleUserMessage(session, messageID(number)) }) as const
const putPart = (number: number, text = "Text") =>
  ({ type: "part.put", part: sampleText(session, messageID(number), partID(number), { text }) }) as const

async function stored() {
  const path = temporaryDirectory()
  const storage = await openStorage(path)
  await storage.commit(session, [putSession(), putMessage(1), putPart(1), putMessage(2), putPart(2)])
  await storage.commit(other, [putSession(other)])
  return { path, storage, at: (place: string) => join(path, place) }
}

async function openOver(path: string, change: (fs: FileSystem) => Partial<FileSystem>) {
  const fs = nodeFileSystem(path)
  const deps = { fs: { ...fs, ...change(fs) }, self: currentProcess() }
  const storage = await createStorage({ path, durability: "async" }, deps)
  onTestFinished(() => storage.close())
  return storage
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path })
}

it("reads what an editor stored with a byte order mark and the line ends of Windows", async () => {
  const { storage, at } = await stored()
  for (const place of [`part/${messageID(1)}/${partID(1)}.json`, `session/project/${session}.json`]) {
    writeFileSync(at(place), `\uFEFF${readFileSync(at(place), "utf8").replaceAll("\n", "\r\n")}`)
  }
  expect((await storage.readContext(session)).damaged).toBeUndefined()
  expect(await collect(storage.listSessions())).toHaveLength(2)
  expect(await collect(storage.verify())).toEqual([])
  await storage.commit(session, [putPart(1, "Again")])
  expect((await storage.readContext(session)).messages[0]?.parts).toEqual([putPart(1, "Again").part])
})

it("reports a file in which a byte is wrong within a text, instead of reading another text", async () => {
  const { storage, at } = await stored()
  const bytes = readFileSync(at(`part/${messageID(1)}/${partID(1)}.json`))
  bytes[bytes.lastIndexOf("Text")] = 0xff
  writeFileSync(at(`part/${messageID(1)}/${partID(1)}.json`), bytes)
  expect((await storage.readContext(session)).damaged?.map(({ subject }) => subject)).toEqual([partID(1)])
})

it("leaves out one file that it may not read, and reads the others", async () => {
  const { path } = await stored()
  const unreadable = [`part/${messageID(1)}/${partID(1)}.json`, `session/project/${other}.json`]
  const storage = await openOver(path, (fs) => ({
    readFile(file) {
      if (unreadable.includes(file)) throw failure("EACCES", file)
      return fs.readFile(file)
    },
  }))
  expect((await storage.readContext(session)).damaged).toMatchObject([
    { subject: partID(1), message: expect.stringContaining("EACCES") },
  ])
  expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual([session])
  expect((await collect(storage.verify())).map(({ subject }) => subject)).toEqual([other, partID(1)])
})

it("reports a link that leads nowhere but to itself, and counts each file once below a link to what is above", async () => {
  const { path, storage, at } = await stored()
  const { totalBytes } = await storage.stats()
  rmSync(at(`part/${messageID(1)}/${partID(1)}.json`))
  symlinkSync(`${partID(1)}.json`, at(`part/${messageID(1)}/${partID(1)}.json`))
  symlinkSync(path, at("session/above"))
  expect((await storage.readContext(session)).damaged?.map(({ subject }) => subject)).toEqual([partID(1)])
  expect((await storage.stats()).totalBytes).toBeLessThanOrEqual(totalBytes)
})

it("refuses a commit whose file cannot be put in its place, before it counts", async () => {
  const { storage, at } = await stored()
  mkdirSync(at(`message/${session}/${messageID(3)}.json`))
  writeFileSync(at(`message/${other}`), "A file of somebody")
  const ofOther = { type: "message.put", message: sampleUserMessage(other, messageID(3)) } as const
  for (const [id, write] of [
    [session, putMessage(3)],
    [other, ofOther],
  ] as const) {
    const before = await storage.readContext(id)
    const error: unknown = await storage.commit(id, [write]).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StorageError)
    expect((error as Error).message).toMatch(/message\/.* is not what it should be/)
    expect(await storage.readContext(id)).toEqual(before)
  }
  await storage.rebuild()
  expect(await storage.commit(session, [putMessage(3)])).toBe(2)
})

it("opens, and keeps the other sessions, when what one has in its journal cannot be finished", async () => {
  const { path, storage, at } = await stored()
  await storage.commit(session, [putPart(2, "Later")])
  copyFileSync(at(`.pawl/journal/${session}`), at("journal"))
  await storage.close()
  // As after a restart of the machine, with the part gone and something in the way of it.
  copyFileSync(at("journal"), at(`.pawl/journal/${session}`))
  rmSync(at(`part/${messageID(2)}/${partID(2)}.json`))
  mkdirSync(at(`part/${messageID(2)}/${partID(2)}.json`))
  const self = { ...currentProcess(), boot: "the next" }
  const again = await createStorage({ path }, { fs: nodeFileSystem(path), self })
  onTestFinished(() => again.close())

  expect((await collect(again.listSessions())).map(({ id }) => id)).toContain(other)
  expect((await again.readContext(other)).session.id).toBe(other)
  await expect(again.readContext(session)).rejects.toThrow(/is not what it should be/)
  await expect(again.commit(session, [])).rejects.toThrow(/is not what it should be/)
  rmSync(at(`part/${messageID(2)}/${partID(2)}.json`), { recursive: true })
  expect((await again.readContext(session)).messages[1]?.parts).toEqual([putPart(2, "Later").part])
})

it("tells again and again that a dead process's work cannot be finished, until it can", async () => {
  const { path, storage, at } = await stored()
  await storage.commit(session, [putPart(2, "Later")])
  const dead = { ...currentProcess(), pid: 2 ** 30, token: "dead" }
  writeFileSync(at(`.pawl/lock/${session}`), JSON.stringify(dead))
  rmSync(at(`part/${messageID(2)}/${partID(2)}.json`))
  mkdirSync(at(`part/${messageID(2)}/${partID(2)}.json`))
  const again = await openStorage(path)
  for (let time = 0; time < 3; time++)
    await expect(again.readContext(session)).rejects.toThrow(/is not what it should be/)
  rmSync(at(`part/${messageID(2)}/${partID(2)}.json`), { recursive: true })
  expect((await again.readContext(session)).messages[1]?.parts).toEqual([putPart(2, "Later").part])
})

it("does not follow a journal that leads elsewhere, nor forget that it has not been followed", async () => {
  const { path, storage, at } = await stored()
  const outside: FileChange = ["session/../../outside.json", "{}"]
  const files = [outside, [`part/${messageID(2)}/${partID(2)}.json`, null] as const]
  appendFileSync(at(`.pawl/journal/${session}`), entryLine({ revision: 2, records: [], files }))
  const dead = { ...currentProcess(), pid: 2 ** 30, token: "dead" }
  writeFileSync(at(`.pawl/lock/${session}`), JSON.stringify(dead))
  await storage.close()
  const again = await openStorage(path)
  for (let time = 0; time < 3; time++)
    await expect(again.readContext(session)).rejects.toThrow(/is not a record's file/)
  expect(existsSync(at("../outside.json"))).toBe(false)
  expect((await again.readContext(other)).session.id).toBe(other)
})

it("reports copies of whole directories, and sets aside what is in them", async () => {
  const { storage, at } = await stored()
  for (const place of [`message/${session}`, `part/${messageID(1)}`, "session/project"])
    cpSync(at(place), at(`${place} (1)`), { recursive: true })
  const before = await storage.readContext(session)
  expect(before.damaged).toBeUndefined()
  expect(await collect(storage.listSessions())).toHaveLength(2)
  expect((await collect(storage.verify())).map(({ subject }) => subject).toSorted()).toEqual(
    [other, session, messageID(1), messageID(2), partID(1)].toSorted(),
  )
  await storage.rebuild()
  expect(await collect(storage.verify())).toEqual([])
  expect(await storage.readContext(session)).toEqual(before)
  expect(existsSync(at(`.pawl/quarantine/message/${session} (1)/${messageID(1)}.json`))).toBe(true)
})

it("removes no file among the blobs that is not a blob", async () => {
  const { storage, at } = await stored()
  const id = await storage.blobs.put(Buffer.from("bytes"))
  const directory = `blob/${id.slice(0, 2)}`
  const foreign = [`${directory}/${id} (1)`, `${directory}/notes.txt`]
  for (const place of foreign) writeFileSync(at(place), "Notes")
  mkdirSync(at(`${directory}/album`))
  for (const place of [`${directory}/${id}`, ...foreign]) utimesSync(at(place), 1000, 1000)
  expect(await storage.gc()).toEqual({ blobs: 1, bytes: 5 })
  for (const place of foreign) expect(existsSync(at(place))).toBe(true)
})

it("lists sessions when the index cannot be written", async () => {
  const { path, storage } = await stored()
  for (let number = 10; number < 230; number++)
    writeFileSync(
      join(path, `session/project/${sessionID(number)}.json`),
      JSON.stringify(sampleSession(sessionID(number))),
    )
  await storage.close()
  const readOnly = await openOver(path, () => ({
    write(file) {
      throw failure("EROFS", file)
    },
  }))
  expect(await collect(readOnly.listSessions({ archived: false }))).toHaveLength(222)
})

it.each([
  ["a boundary that is no id", { boundary: 7 }],
  ["a parent that is no id", { parentID: 7 }],
])("reports a session with %s", async (_, fields) => {
  const { storage, at } = await stored()
  const changed = { ...sampleSession(session), ...fields }
  writeFileSync(at(`session/project/${session}.json`), JSON.stringify(changed))
  await expect(storage.readContext(session)).rejects.toThrow(StorageError)
  expect((await collect(storage.verify())).map(({ subject }) => subject)).toEqual([session])
})

it("believes no entry of the index, and no listing, that is of another shape", async () => {
  const { path, storage, at } = await stored()
  await storage.rebuild()
  await storage.close()
  const index = at(".pawl/index/sessions.json")
  writeFileSync(index, readFileSync(index, "utf8").replaceAll('"New session"', "7"))
  const listing = { boot: currentProcess().boot, from: "", revision: 1, directory: null, names: [null] }
  writeFileSync(at(`.pawl/context/${session}`), JSON.stringify(listing))
  const again = await openStorage(path)
  expect(await collect(again.listSessions({ title: "new" }))).toHaveLength(2)
  expect((await again.readContext(session)).messages).toHaveLength(2)
})

it("begins in a directory in which there is only what systems leave in new ones", async () => {
  const path = temporaryDirectory()
  mkdirSync(join(path, "lost+found"))
  writeFileSync(join(path, ".DS_Store"), "")
  const storage = await openStorage(path)
  expect(await storage.commit(session, [putSession()])).toBe(1)
})

it("says what is missing when its directory is taken away, and goes on when it is back", async () => {
  const { path, storage, at } = await stored()
  cpSync(path, `${path}-away`, { recursive: true })
  onTestFinished(() => rmSync(`${path}-away`, { recursive: true, force: true }))
  rmSync(path, { recursive: true })
  await expect(storage.commit(session, [putPart(1)])).rejects.toThrow(StorageError)
  await expect(storage.readContext(session)).rejects.toThrow(/does not exist/)
  expect(await collect(storage.listSessions())).toEqual([])
  await expect(storage.blobs.put(Buffer.from("bytes"))).rejects.toThrow(StorageError)
  cpSync(`${path}-away`, path, { recursive: true })
  expect(await storage.commit(session, [putPart(1, "Back")])).toBe(2)
  rmSync(at("part"), { recursive: true })
  expect(await storage.commit(session, [putPart(1, "Made anew")])).toBe(3)
  expect((await storage.readContext(session)).messages[0]?.parts).toEqual([putPart(1, "Made anew").part])
})
