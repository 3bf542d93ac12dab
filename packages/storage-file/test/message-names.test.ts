import { copyFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { messageID, sampleSession, sampleUserMessage, sessionID } from "@pawl/storage-testkit/samples"
import { expect, it, onTestFinished } from "vitest"
import { createStorage } from "../src/file-storage.ts"
import type { FileSystem } from "../src/file-system.ts"
import { nodeFileSystem } from "../src/node-file-system.ts"
import { currentProcess } from "@pawl/storage-kit"
import { temporaryDirectory } from "./place.ts"

const session = sessionID(1)
const LAST = 300
/** Messages before it are of no concern to a context. */
const BOUNDARY = 290

async function openCounted(path: string, fs = nodeFileSystem(path)) {
  let listings = 0
  const counted = {
    ...fs,
    // When what is synced is not what is shown here.
    sync: async () => {},
    readDirectory(directory: string) {
      if (directory === `message/${session}`) listings++
      return fs.readDirectory(directory)
    },
  }
  const options = { path, durability: "async" } as const
  const storage = await createStorage(options, { fs: counted, self: currentProcess() })
  onTestFinished(() => storage.close())
  const ids = async () => (await storage.readContext(session)).messages.map(({ info }) => info.id)
  const put = (number: number) =>
    storage.commit(session, [{ type: "message.put", message: sampleUserMessage(session, messageID(number)) }])
  return { storage, ids, put, listings: () => listings }
}

/** A file system whose clock stands still, but for the times that are set. */
function withoutTicks(path: string): FileSystem {
  const fs = nodeFileSystem(path)
  const set = new Map<string, number | undefined>()
  return {
    ...fs,
    status(file) {
      const status = fs.status(file)
      if (!status?.isDirectory || status.changed === set.get(file)) return status && { ...status, touched: 1 }
      return { ...status, changed: 1, touched: 1 }
    },
    touch(file) {
      fs.touch(file)
      set.set(file, fs.status(file)?.changed)
    },
  }
}

/** A session with its boundary, whose directory of messages has not changed for long. */
async function stored(fileSystem = nodeFileSystem) {
  const path = temporaryDirectory()
  const opened = await openCounted(path, fileSystem(path))
  await opened.storage.commit(session, [
    { type: "session.put", session: sampleSession(session, { boundary: messageID(BOUNDARY) }) },
    ...Array.from({ length: LAST }, (_, index) => {
      return { type: "message.put", message: sampleUserMessage(session, messageID(index + 1)) } as const
    }),
  ])
  const directory = join(path, "message", session)
  utimesSync(directory, 1000, 1000)
  return { path, directory, ...opened }
}

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => messageID(first + index))

it("lists the messages of a session once, and not again as long as only pawl writes", async () => {
  const { path, ids, put, storage, listings } = await stored()
  expect(await ids()).toEqual(range(BOUNDARY, LAST))
  expect(await ids()).toEqual(range(BOUNDARY, LAST))
  await put(LAST + 1)
  await storage.commit(session, [{ type: "message.remove", messageID: messageID(BOUNDARY + 1) }])
  const left = [messageID(BOUNDARY), ...range(BOUNDARY + 2, LAST + 1)]
  expect(await ids()).toEqual(left)
  expect(listings()).toBe(1)
  await storage.close()

  const later = await openCounted(path)
  expect(await later.ids()).toEqual(left)
  await later.put(LAST + 2)
  expect(await later.ids()).toEqual([...left, messageID(LAST + 2)])
  expect(later.listings()).toBe(0)
})

it("lists them again for a boundary that lies further back", async () => {
  const { ids, storage, listings } = await stored()
  await ids()
  await storage.commit(session, [{ type: "session.patch", changes: { boundary: messageID(BOUNDARY + 5) } }])
  expect(await ids()).toEqual(range(BOUNDARY + 5, LAST))
  expect(listings()).toBe(1)
  await storage.commit(session, [{ type: "session.patch", changes: { boundary: messageID(BOUNDARY - 5) } }])
  expect(await ids()).toEqual(range(BOUNDARY - 5, LAST))
  expect(listings()).toBe(2)
})

it.each([
  ["the system's clock", nodeFileSystem],
  ["a clock that stands still", withoutTicks],
])("finds what another handle has put and removed, with %s", async (_, fileSystem) => {
  const { path, ids } = await stored(fileSystem)
  const other = await openCounted(path, fileSystem(path))
  await ids()
  await other.ids()
  for (let number = LAST + 1; number <= LAST + 20; number++) {
    await other.put(number)
    expect(await ids()).toEqual(range(BOUNDARY, number))
  }
  await other.storage.commit(session, [{ type: "message.remove", messageID: messageID(BOUNDARY) }])
  expect(await ids()).toEqual(range(BOUNDARY + 1, LAST + 20))
})

it("finds files that are added and removed by hand, within the same moment as a commit, too", async () => {
  const { directory, ids, put } = await stored()
  const file = (number: number) => join(directory, `${messageID(number)}.json`)
  const copy = (number: number) =>
    writeFileSync(file(number), readFileSync(file(LAST), "utf8").replaceAll(messageID(LAST), messageID(number)))
  await ids()
  for (let number = LAST + 1; number <= LAST + 40; number += 2) {
    await put(number)
    copy(number + 1)
    expect(await ids()).toEqual(range(BOUNDARY, number + 1))
    utimesSync(directory, 1000, 1000)
    await ids()
  }
  rmSync(file(BOUNDARY))
  expect(await ids()).toEqual(range(BOUNDARY + 1, LAST + 40))
})

it("finds a file that is added by hand after a commit, while the clock stands still", async () => {
  const { directory, ids, put } = await stored(withoutTicks)
  const file = (number: number) => join(directory, `${messageID(number)}.json`)
  await ids()
  await put(LAST + 1)
  const added = readFileSync(file(LAST), "utf8").replaceAll(messageID(LAST), messageID(LAST + 2))
  writeFileSync(file(LAST + 2), added)
  expect(await ids()).toEqual(range(BOUNDARY, LAST + 2))
})

it("finds a file whose adder has set the directory's time back", async () => {
  const { directory, storage, ids } = await stored()
  await ids()
  copyFileSync(join(directory, `${messageID(LAST)}.json`), join(directory, `${messageID(LAST)} (conflict).json`))
  utimesSync(directory, 1000, 1000)
  expect((await storage.readContext(session)).damaged).toHaveLength(1)
})
