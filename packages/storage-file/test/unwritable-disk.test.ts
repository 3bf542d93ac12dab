import { type MaintainedStorage, StorageError } from "@pawl/core/storage"
import { currentProcess } from "@pawl/storage-kit"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import type { FileSystem } from "../src/file-system.ts"
import { createStorage } from "../src/file-storage.ts"
import { packPath } from "../src/layout.ts"
import { collect } from "./place.ts"
import { describe, expectedStates, turn } from "./scripted-turn.ts"
import { type PowerCut, SimulatedDisk } from "./simulated-disk.ts"

// What a process that was killed, or a power cut, leaves on a disk that takes no writes afterwards.

const living = currentProcess()
/** No process has an id so large. */
const dead = { ...living, pid: 2 ** 30, start: "1" }
const afterRestart = { ...living, boot: "the next" }

const open = (fs: SimulatedDisk, self = living) =>
  createStorage({ path: "/simulated" }, { fs, self, longestJournal: 2500, shortestLog: 100, warn: () => {} })

/** Runs the turn until the disk stops; returns how many steps were acknowledged. */
async function runUntilStopped(disk: SimulatedDisk): Promise<number> {
  let acknowledged = 0
  try {
    const storage = await open(disk, dead)
    for (const step of turn) {
      await step(storage)
      acknowledged++
    }
    await storage.close()
  } catch (error) {
    if ((error as Error).name !== "Stopped") throw error
  }
  return acknowledged
}

const lost: PowerCut = { bytes: () => "lost", names: () => "kept" }

it.each([
  ["was killed", "ENOSPC", 1, /disk .* is full\. Free some space/, undefined, living],
  ["was killed", "EROFS", 2, /its disk is mounted read-only\. Mount it for writing/, undefined, living],
  ["was killed", "EACCES", 3, /Give this user the right/, undefined, living],
  ["was cut off from power", "ENOSPC", 1, /disk .* is full\. Free some space/, lost, afterRestart],
  ["was cut off from power", "EROFS", 4, /its disk is mounted read-only\. Mount it for writing/, lost, afterRestart],
] as const)(
  "shows every commit of a process that %s where writes end with %s, and goes on once they do not",
  async (_, code, first, message, cut, self) => {
    const states = await expectedStates(open)
    const whole = new SimulatedDisk()
    await runUntilStopped(whole)
    for (let operation = first; operation <= whole.operations; operation += 5) {
      const what = `stopped at ${operation}`
      const stopped = new SimulatedDisk()
      stopped.stopBefore(operation, operation % 2 === 0)
      const acknowledged = await runUntilStopped(stopped)
      const disk = stopped.next(cut)
      // Before its first commit a directory may not be a storage yet.
      if (acknowledged === 0) continue
      disk.failWith(() => code)
      const storage = await open(disk, self)
      const found = JSON.stringify(await describe(storage))
      const allowed = states.slice(acknowledged, acknowledged + 2).map((state) => JSON.stringify(state))
      expect(allowed.map((state) => ({ what, state }))).toContainEqual({ what, state: found })
      expect({ what, state: JSON.stringify(await describe(storage)) }).toEqual({ what, state: found })
      const part = sampleText(sessionID(1), messageID(2), partID(9))
      const commit = () => storage.commit(sessionID(1), [{ type: "part.put", part }])
      const refused = await commit().then(
        () => undefined,
        (error: unknown) => error,
      )
      if (acknowledged > 1) {
        expect(refused).toBeInstanceOf(StorageError)
        expect((refused as Error).message).toMatch(message)
      }
      disk.failWith(undefined)
      expect({ what, state: JSON.stringify(await describe(storage)) }).toEqual({ what, state: found })
      if (acknowledged > 1) {
        await commit()
        await storage.commit(sessionID(1), [{ type: "session.patch", changes: { title: "Later" } }])
        expect((await storage.getSession(sessionID(1)))?.title).toBe("Later")
      }
      expect({ what, problems: await collect(storage.verify()) }).toEqual({ what, problems: [] })
      await storage.close()
    }
  },
)

it.each(["ENOSPC", "EROFS"])(
  "is empty where nothing can be created because of %s, and is created once it can",
  async (code) => {
    for (let first = 1; first < 20; first++) {
      const disk = new SimulatedDisk()
      disk.failWith((operation) => (disk.operations >= first && !operation.startsWith("remove") ? code : undefined))
      const storage = await open(disk)
      if (disk.readFile(".pawl/version.json")) break
      expect(await collect(storage.listSessions())).toEqual([])
      expect(await storage.getSession(sessionID(1))).toBeUndefined()
      expect(await collect(storage.search({ text: "needle" }))).toEqual([])
      expect((await storage.stats()).records.session.count).toBe(0)
      expect(await collect(storage.verify())).toEqual([])
      await expect(turn[0]?.(storage)).rejects.toThrow(StorageError)
      expect(disk.readDirectory("")).toEqual([])
      disk.failWith(undefined)
      await turn[0]?.(storage)
      expect(await collect(storage.listSessions())).toHaveLength(1)
      await storage.close()
    }
  },
)

/** The disk as a user sees it who may not write it. */
function forReading(disk: Pick<FileSystem, "status" | "readFile" | "readRange" | "readDirectory">): FileSystem {
  const refuse = (path: string): never => {
    throw Object.assign(new Error(`EACCES: ${path}`), { code: "EACCES", path })
  }
  return {
    status: (path) => disk.status(path),
    readFile: (path) => disk.readFile(path),
    readRange: (...range) => disk.readRange(...range),
    readDirectory: (path) => disk.readDirectory(path),
    makeDirectory: refuse,
    write: refuse,
    overwrite: refuse,
    append: refuse,
    truncate: refuse,
    rename: refuse,
    link: refuse,
    remove: refuse,
    removeDirectory: refuse,
    touch: refuse,
    sync: async (path) => refuse(path),
  }
}

it("waits for a living writer where it may not take the lock, and sees no half commit", async () => {
  const disk = new SimulatedDisk()
  const writer = await open(disk)
  for (const step of turn.slice(0, 3)) await step(writer)
  const [reached, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sync = disk.sync.bind(disk)
  disk.sync = async (path) => {
    reached.resolve()
    await resumed.promise
    await sync(path)
  }
  const commit = turn[5]?.(writer)
  await reached.promise

  const hasty = await createStorage(
    { path: "/simulated", lockTimeout: 20 },
    { fs: forReading(disk), self: living, warn: () => {} },
  )
  await expect(hasty.readContext(sessionID(1))).rejects.toThrow("Another process works on")
  const reader = await createStorage({ path: "/simulated" }, { fs: forReading(disk), self: living, warn: () => {} })
  const context = reader.readContext(sessionID(1))
  resumed.resolve()
  await commit
  expect(await context).toMatchObject({ revision: 4, session: { title: "Moved" } })
  expect((await collect(reader.listSessions())).map(({ title }) => title)).toContain("Moved")
})

it("reads again what another process has written while it was read without the lock", async () => {
  const whole = new SimulatedDisk()
  await runUntilStopped(whole)
  let switched = 0
  for (let operation = 10; operation <= whole.operations; operation += 5) {
    const stopped = new SimulatedDisk()
    stopped.stopBefore(operation)
    await runUntilStopped(stopped)
    const [left, later] = [stopped.next(), stopped.next()]
    const writer = await open(later)
    if (!(await writer.getSession(sessionID(1)))) continue
    const part = sampleText(sessionID(1), messageID(2), partID(8), { text: "Later" })
    const written = await writer
      .commit(sessionID(1), [
        { type: "session.patch", changes: { title: "Later" } },
        { type: "message.put", message: sampleAssistantMessage(sessionID(1), messageID(2)) },
        { type: "part.put", part },
      ])
      .then(() => writer.readContext(sessionID(1)))
    await writer.close()

    let disk = left
    const changing: FileSystem = {
      ...forReading({
        status: (path) => disk.status(path),
        readRange: (...range) => disk.readRange(...range),
        readDirectory: (path) => disk.readDirectory(path),
        readFile(path) {
          // Behind the session's own file.
          if (path.startsWith("message/") && disk !== later) {
            disk = later
            switched++
          }
          return disk.readFile(path)
        },
      }),
    }
    const reader = await createStorage({ path: "/simulated" }, { fs: changing, self: living, warn: () => {} })
    const context = await reader.readContext(sessionID(1))
    expect({ operation, context }).toEqual({ operation, context: disk === later ? written : context })
  }
  expect(switched).toBeGreaterThan(10)
})

it("packs no file that recovery shows from memory", async () => {
  const numbers = Array.from({ length: 300 }, (_, index) => index + 1)
  const fill = (storage: MaintainedStorage) =>
    storage.commit(
      sessionID(1),
      numbers.flatMap((number) => [
        { type: "message.put", message: sampleUserMessage(sessionID(1), messageID(number)) },
        { type: "part.put", part: sampleText(sessionID(1), messageID(number), partID(number)) },
      ]),
    )
  const whole = new SimulatedDisk()
  const rehearsal = await open(whole, dead)
  await turn[0]?.(rehearsal)
  await fill(rehearsal)
  let packs = 0
  for (let operation = 40; operation < whole.operations; operation += 100) {
    const stopped = new SimulatedDisk()
    const writer = await open(stopped, dead)
    await turn[0]?.(writer)
    stopped.stopBefore(operation)
    await fill(writer).catch(() => undefined)
    const disk = stopped.next()
    disk.failWith((_operation, path) => (path.startsWith(".pawl/lock") ? "EACCES" : undefined))
    const reader = await open(disk)
    const { messages } = await reader.readContext(sessionID(1))
    expect([1, 300]).toContain(messages.length)
    const pack = disk.readFile(packPath(sessionID(1)))?.toString()
    if (pack !== undefined) packs++
    expect(pack ?? "").not.toMatch(/"(stamp|directory|stamps)":\[+-/)
  }
  expect(packs).toBeGreaterThan(1)
})
