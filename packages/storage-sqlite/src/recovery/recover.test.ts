import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import type { MessageWithParts, Session } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { startChild } from "../../test/child.ts"
import { collect, openRaw, openStorage, temporaryFile } from "../../test/place.ts"
import { sqliteStorage } from "../sqlite-storage.ts"
import { finishRecovery } from "./recover.ts"

const SESSIONS = 8
const PAGE = 1024
const last = sessionID(SESSIONS)

interface Stored {
  readonly session: Session
  readonly messages: readonly MessageWithParts[]
}

const ids = Array.from({ length: SESSIONS }, (_, index) => sessionID(index + 1))

interface Sample {
  readonly stored: Stored[]
  readonly blob: string
}

let sample: Sample & { readonly bytes: Uint8Array }
const directory = mkdtempSync(join(tmpdir(), "pawl-sqlite-"))

beforeAll(async () => {
  const path = join(directory, "pawl.db")
  sample = { ...(await storeSample(path)), bytes: readFileSync(path) }
})
afterAll(() => rmSync(directory, { recursive: true }))

function sampleFile(): Sample & { path: string } {
  const path = temporaryFile()
  writeFileSync(path, sample.bytes)
  return { ...sample, path }
}

/** Sessions with a few pages each, closed and so wholly in the file. */
async function storeSample(path: string): Promise<Sample> {
  const storage = await sqliteStorage({ path })
  const blob = await storage.blobs.put(new Uint8Array(300_000).fill(3))
  for (const id of ids) {
    const parts = [1, 2, 3, 4, 5, 6].map((number) =>
      sampleText(id, messageID(number > 3 ? 2 : 1), partID(number), {
        text: `needle ${id} ${"text ".repeat(number * 60)}`,
      }),
    )
    await storage.commit(id, [
      { type: "session.put", session: sampleSession(id, { title: `Title ${id}`, metadata: { blob } }) },
      { type: "message.put", message: sampleUserMessage(id, messageID(1)) },
      { type: "message.put", message: sampleUserMessage(id, messageID(2)) },
      ...parts.map((part) => ({ type: "part.put", part }) as const),
    ])
    await storage.commit(id, [{ type: "part.put", part: sampleText(id, messageID(2), partID(6), { text: "again" }) }])
  }
  await collect(storage.search({ text: "needle" }))
  const stored = await Promise.all(ids.map(async (id) => storage.readContext(id)))
  await storage.close()
  return { stored: stored.map(({ session, messages }) => ({ session, messages })), blob }
}

const change = (path: string, work: (bytes: Buffer) => void) => {
  const bytes = readFileSync(path)
  work(bytes)
  writeFileSync(path, bytes)
}
/** The numbers of the pages that begin with this byte. */
const pagesOf = (bytes: Buffer, type: number) =>
  Array.from({ length: bytes.length / PAGE - 1 }, (_, index) => index + 1).filter((page) => bytes[page * PAGE] === type)
const middle = (pages: number[]) => (pages[Math.floor(pages.length / 2)] ?? 0) * PAGE
const [LEAF, INTERIOR, INDEX] = [0x0d, 0x05, 0x0a]

const kinds: readonly (readonly [string, (path: string) => void | Promise<void>])[] = [
  ["a file cut to its header", (path) => truncateSync(path, 100)],
  ["a file cut to its first page", (path) => truncateSync(path, PAGE)],
  ["a file cut in its middle", (path) => truncateSync(path, PAGE * Math.floor(readFileSync(path).length / PAGE / 2))],
  ["a file cut within a page", (path) => truncateSync(path, Math.floor(readFileSync(path).length * 0.7) + 13)],
  ["a file cut by its last page", (path) => truncateSync(path, readFileSync(path).length - PAGE)],
  ["a header of NULs", (path) => change(path, (bytes) => bytes.fill(0, 0, 100))],
  ["a first page of NULs", (path) => change(path, (bytes) => bytes.fill(0, 0, PAGE))],
  [
    "a leaf of NULs",
    (path) => change(path, (bytes) => bytes.fill(0, middle(pagesOf(bytes, LEAF)), middle(pagesOf(bytes, LEAF)) + PAGE)),
  ],
  [
    "a tenth of the pages NULs",
    (path) =>
      change(path, (bytes) => {
        for (let page = 5; page < bytes.length / PAGE; page += 10) bytes.fill(0, page * PAGE, (page + 1) * PAGE)
      }),
  ],
  ["the wrong magic", (path) => change(path, (bytes) => bytes.write("NOT A DATABASE!!", 0))],
  ["a wrong page size", (path) => change(path, (bytes) => bytes.writeUInt16BE(4096, 16))],
  ["a wrong format version", (path) => change(path, (bytes) => bytes.fill(9, 18, 20))],
  [
    "a flipped bit in the header's reserved space",
    (path) => change(path, (bytes) => bytes.writeUInt8(bytes.readUInt8(20) ^ 8, 20)),
  ],
  [
    "a schema with flipped bits",
    (path) => change(path, (bytes) => bytes.writeUInt8(0x7f, bytes.indexOf("CREATE TABLE record") + 3)),
  ],
  [
    "a schema with another column",
    (path) => change(path, (bytes) => bytes.write("titel", bytes.indexOf("title TEXT"))),
  ],
  [
    "leaves with a flipped type",
    (path) =>
      change(path, (bytes) => {
        for (const page of pagesOf(bytes, LEAF).slice(8, 12)) bytes.writeUInt8(0xf2, page * PAGE)
      }),
  ],
  [
    "a leaf with wild pointers",
    (path) =>
      change(path, (bytes) => bytes.fill(0xff, middle(pagesOf(bytes, LEAF)) + 8, middle(pagesOf(bytes, LEAF)) + 24)),
  ],
  [
    "upper pages of noise",
    (path) =>
      change(path, (bytes) => {
        for (const page of pagesOf(bytes, INTERIOR)) bytes.fill(0xaa, page * PAGE, (page + 1) * PAGE)
      }),
  ],
  [
    "indexes of noise",
    (path) =>
      change(path, (bytes) => {
        for (const page of pagesOf(bytes, INDEX)) bytes.fill(0xbb, page * PAGE, (page + 1) * PAGE)
      }),
  ],
  [
    "an index with a flipped bit",
    (path) =>
      change(path, (bytes) =>
        bytes.writeUInt8(bytes.readUInt8(middle(pagesOf(bytes, INDEX)) + 40) ^ 1, middle(pagesOf(bytes, INDEX)) + 40),
      ),
  ],
  ["an empty file beside its log", async (path) => leaveLog(path, () => truncateSync(path, 0))],
  ["a log without its file", async (path) => leaveLog(path, () => rmSync(path))],
  ["a log of noise", (path) => writeFileSync(`${path}-wal`, Buffer.alloc(5000, "noise"))],
  [
    "a log with a damaged middle",
    async (path) =>
      leaveLog(path, () => change(`${path}-wal`, (bytes) => bytes.fill(0xcc, 32 + 24 + 100, 32 + 24 + 200))),
  ],
  ["noise as shared memory", (path) => writeFileSync(`${path}-shm`, Buffer.alloc(32_768, "noise"))],
  [
    "the same id twice",
    (path) => {
      const raw = openRaw(path)
      raw.exec(
        "DROP INDEX record_id; INSERT INTO record SELECT key + 1000, session, message_id, part_id, revision, data FROM record WHERE key = 4",
      )
      raw.close()
    },
  ],
  [
    "a missing message",
    (path) => {
      const raw = openRaw(path)
      raw.exec(`DELETE FROM record WHERE session = 1 AND message_id = '${messageID(1)}' AND part_id = ''`)
      raw.close()
    },
  ],
  [
    "a record that is no JSON",
    (path) => {
      const raw = openRaw(path)
      raw.exec("UPDATE record SET data = substr(data, 1, 20) WHERE key IN (5, 20)")
      raw.close()
    },
  ],
  [
    "a session that is another thing",
    (path) => {
      const raw = openRaw(path)
      raw.exec(`UPDATE record SET data = '[1]' WHERE message_id = '' AND session = 2`)
      raw.close()
    },
  ],
]

/** Moves what was closed into a log that nobody has taken in, as after a crash. */
async function leaveLog(path: string, damage: () => void): Promise<void> {
  const storage = await sqliteStorage({ path })
  await storage.commit(last, [{ type: "part.put", part: sampleText(last, messageID(2), partID(7)) }])
  await storage.commit(last, [{ type: "part.remove", messageID: messageID(2), partID: partID(7) }])
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, `${path}.copy${suffix}`)
  await storage.close()
  for (const suffix of ["", "-wal"]) renameSync(`${path}.copy${suffix}`, path + suffix)
  damage()
}

it.each(kinds)("survives %s and loses nothing without a word", async (_, damage) => {
  const { path, stored, blob } = sampleFile()
  await damage(path)
  const notices: string[] = []
  const storage = await sqliteStorage({ path, onDamage: "recover", onNotice: (notice) => notices.push(notice) })
  onTestFinished(() => storage.close())

  const read: Stored[] = []
  for (const { id } of await collect(storage.listSessions())) {
    const { session, messages, damaged } = await storage.readContext(id)
    read.push({ session, messages })
    if (damaged) notices.push(...damaged.map((problem) => problem.message))
  }
  const problems = await collect(storage.verify())
  const isAllThere = JSON.stringify(read.map(sessionText)) === JSON.stringify(stored.map(sessionText))
  const toldOf = [...notices, ...problems.map((problem) => problem.message)]
  if (!isAllThere || !(await storage.blobs.get(blob))) expect(toldOf).not.toEqual([])
  for (const notice of notices.filter((text) => text.includes("kept as"))) {
    expect(existsSync(/kept as (\S+)\.$/.exec(notice)?.[1] ?? "")).toBe(true)
  }

  // What is left is written to as ever, and `rebuild` leaves nothing to tell but what is lost.
  await storage.commit(sessionID(99), [{ type: "session.put", session: sampleSession(sessionID(99)) }])
  await storage.rebuild()
  const left = await collect(storage.verify())
  expect(left.filter(({ kind, subject }) => kind !== "reference" || subject !== blob)).toEqual([])
})

const sessionText = ({ session, messages }: Stored) => [session.id, session.title, messages]

it.each([
  ["a first page of NULs", 8],
  ["upper pages of noise", 8],
  ["indexes of noise", 8],
  ["the wrong magic", 8],
  ["a log without its file", 0],
])("reads all that is there beside %s", async (name, sessions) => {
  const { path, stored, blob } = sampleFile()
  await kinds.find(([kind]) => kind === name)?.[1](path)
  const notices: string[] = []
  const storage = await openStorage(path, { onDamage: "recover", onNotice: (notice) => notices.push(notice) })
  const contexts = await Promise.all(
    (await collect(storage.listSessions())).map(async ({ id }) => storage.readContext(id)),
  )
  if (sessions > 0) {
    expect(contexts.map(({ session, messages }) => ({ session, messages }))).toEqual(stored)
    expect(await storage.blobs.get(blob)).toHaveLength(300_000)
    expect((await collect(storage.search({ text: "needle" }))).length).toBe(40)
  }
  expect(notices).toHaveLength(1)
})

it("refuses a damaged file when nothing else was asked for, and leaves it as it is", async () => {
  const { path } = sampleFile()
  change(path, (bytes) => bytes.fill(0, 0, 100))
  const before = readFileSync(path)
  await expect(openStorage(path)).rejects.toThrow("is damaged")
  expect(readFileSync(path)).toEqual(before)
  expect(readdirSync(dirname(path)).filter((name) => name.includes("damaged"))).toEqual([])
})

it("recovers once when several processes find the damage", async () => {
  const { path } = sampleFile()
  change(path, (bytes) => bytes.fill(0, 0, 100))
  const children = [1, 2, 3].map(() => startChild("open-recovering.ts", [path]))
  const ends = await Promise.all(children.map(({ ended }) => ended))
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, ""]))
  const asides = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.damaged-`))
  expect(asides).toHaveLength(1)
  expect(await collect((await openStorage(path)).listSessions())).toHaveLength(SESSIONS)
})

it("does not replace a file that another handle has open", async () => {
  const { path } = sampleFile()
  const other = await openStorage(path)
  change(path, (bytes) => {
    for (const page of pagesOf(bytes, INTERIOR)) bytes.fill(0xaa, page * PAGE, (page + 1) * PAGE)
  })
  const storage = await openStorage(path, { onDamage: "recover", lockTimeout: 50 }).catch((error: unknown) => error)
  const read =
    storage instanceof Error ? Promise.reject(storage) : collect((storage as typeof other).verify()).then(() => "read")
  await read.catch((error: unknown) => expect(String(error)).toMatch(/other processes have it open|Another process/))
  expect(readdirSync(dirname(path)).filter((name) => name.includes("damaged"))).toEqual([])
})

it("carries through a recovery that was interrupted at any step", async () => {
  for (const moved of [[], ["-wal"], ["-wal", ""]]) {
    const { path } = sampleFile()
    copyFileSync(path, `${path}-recovered`)
    writeFileSync(`${path}-wal`, "the log of the damaged file")
    change(path, (bytes) => bytes.fill(0, 0, 100))
    const aside = `${path}.damaged-1`
    writeFileSync(`${path}-recovery`, aside)
    for (const suffix of moved) renameSync(path + suffix, aside + suffix)
    finishRecovery(path)
    expect([
      existsSync(aside),
      existsSync(`${aside}-wal`),
      existsSync(`${path}-wal`),
      existsSync(`${path}-recovery`),
    ]).toEqual([...[true, true, false, false]])
    expect(await collect((await openStorage(path)).listSessions())).toHaveLength(SESSIONS)
  }
})
