import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { type MaintainedStorage, StorageError } from "@pawl/core/storage"
import {
  messageID,
  partID,
  sampleSession,
  sampleText,
  sampleUserMessage,
  sessionID,
} from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { collect, openStorage, temporaryDirectory } from "./place.ts"

const session = sessionID(1)

/** A session of three messages with a part each, in project "project", and the paths of its files. */
async function stored() {
  const path = temporaryDirectory()
  const storage = await openStorage(path)
  await storage.commit(session, [
    { type: "session.put", session: sampleSession(session) },
    ...[1, 2, 3].flatMap((number) => {
      const message = sampleUserMessage(session, messageID(number))
      const part = sampleText(session, message.id, partID(number), { text: `Text ${number}` })
      return [{ type: "message.put", message } as const, { type: "part.put", part } as const]
    }),
  ])
  return {
    path,
    storage,
    sessionFile: join(path, `session/project/${session}.json`),
    message: (number: number) => join(path, `message/${session}/${messageID(number)}.json`),
    part: (number: number) => join(path, `part/${messageID(number)}/${partID(number)}.json`),
  }
}

async function texts(storage: MaintainedStorage): Promise<string[]> {
  const { messages } = await storage.readContext(session)
  return messages.flatMap(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : part.type)))
}

async function problems(storage: MaintainedStorage): Promise<string[]> {
  return (await collect(storage.verify())).map(({ kind, subject }) => `${kind}: ${subject}`)
}

it("keeps one readable file a record, for its owner only, in the documented places", async () => {
  const { path, sessionFile, message, part } = await stored()
  expect(readFileSync(sessionFile, "utf8")).toBe(`${JSON.stringify(sampleSession(session), null, 2)}\n`)
  for (const file of [sessionFile, message(1), part(1)]) expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, "part")).mode & 0o777).toBe(0o700)
  expect(readdirSync(path).toSorted()).toEqual([".pawl", "blob", "message", "part", "session"])
})

it("reads what was changed, added and deleted by hand", async () => {
  const { storage, sessionFile, message, part } = await stored()
  writeFileSync(part(1), readFileSync(part(1), "utf8").replace("Text 1", "By hand"))
  rmSync(message(2))
  const added = sampleText(session, messageID(3), partID(9), { text: "Added" })
  writeFileSync(part(3).replace(partID(3), partID(9)), JSON.stringify(added))
  writeFileSync(sessionFile, readFileSync(sessionFile, "utf8").replace("New session", "Renamed"))

  expect(await texts(storage)).toEqual(["By hand", "Text 3", "Added"])
  expect((await storage.getSession(session))?.title).toBe("Renamed")
  expect(await collect(storage.listSessions({ title: "renamed" }))).toHaveLength(1)
  expect(await collect(storage.search({ text: "added" }))).toHaveLength(1)
  expect((await storage.readChanges(session, 0)).map(({ type }) => type)).toContain("message.remove")
  expect(await problems(storage)).toEqual([`reference: ${partID(2)}`])
})

it("takes up sessions that were put there without pawl's own files", async () => {
  const { path, storage, sessionFile } = await stored()
  const before = await storage.readContext(session)
  await storage.close()
  rmSync(join(path, ".pawl"), { recursive: true })
  const again = await openStorage(path)
  expect(await again.readContext(session)).toEqual({ ...before, revision: 1 })
  expect(await again.readChanges(session, 0)).toHaveLength(7)
  expect(await again.commit(session, [])).toBe(2)
  expect(await again.readChanges(session, 0)).toHaveLength(7)
  rmSync(sessionFile)
  expect(await collect(again.listSessions())).toEqual([])
})

it("leaves out copies that other programs made, names them, and passes over strays", async () => {
  const { path, storage, message, part } = await stored()
  copyFileSync(message(2), message(2).replace(".json", " (conflict).json"))
  copyFileSync(part(2), part(2).replace(".json", ".sync-conflict-1.json"))
  for (const stray of [".DS_Store", "x.tmp", "Thumbs.db"]) writeFileSync(join(path, "message", session, stray), "?")
  const context = await storage.readContext(session)
  expect(await texts(storage)).toEqual(["Text 1", "Text 2", "Text 3"])
  expect(context.damaged?.map(({ subject }) => subject)).toEqual([
    `${messageID(2)} (conflict).json`,
    `${partID(2)}.sync-conflict-1.json`,
  ])
  expect(await problems(storage)).toHaveLength(2)
})

const damages: Readonly<Record<string, (bytes: Buffer) => string | Buffer>> = {
  "an empty file": () => "",
  "a file cut in half": (bytes) => bytes.subarray(0, bytes.length / 2),
  "a file of NULs": (bytes) => Buffer.alloc(bytes.length),
  "a file of random bytes": (bytes) => Buffer.from(bytes.map((byte, index) => (byte * 31 + index * 17) % 256)),
  "a file with a flipped bit": (bytes) => Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)]),
  "a file with something behind it": (bytes) => `${bytes.toString()}{}`,
  null: () => "null",
  "a list": () => "[]",
  "a number": () => "7",
  "a record with another id": (bytes) => bytes.toString().replace(/"id": "(\w+)"/, '"id": "$1x"'),
  "a record without an id": (bytes) => bytes.toString().replace('"id":', '"di":'),
  "a record of another session": (bytes) =>
    bytes.toString().replace(`"sessionID": "${session}"`, '"sessionID": "ses_9"'),
  "a record of another shape": (bytes) => bytes.toString().replace(/"(role|type)":/, '"kind":'),
}

it.each(Object.entries(damages))("leaves out %s, reports it, and sets it aside", async (_, damage) => {
  const { path, storage, message, part } = await stored()
  for (const file of [part(1), message(2)]) writeFileSync(file, damage(readFileSync(file)))
  const context = await storage.readContext(session)
  expect(context.messages.map(({ info, parts }) => [info.id, parts.length])).toEqual([
    [messageID(1), 0],
    [messageID(3), 1],
  ])
  expect(context.damaged?.map(({ subject }) => subject).toSorted()).toEqual([messageID(2), partID(1)])
  for (const { message: text } of context.damaged ?? []) expect(text).toContain(path)
  expect(await collect(storage.listSessions())).toHaveLength(1)
  expect((await collect(storage.readMessages(session))).map(({ info }) => info.id)).toEqual([
    messageID(3),
    messageID(1),
  ])
  expect((await collect(storage.verify())).map(({ subject }) => subject)).toEqual([messageID(2), partID(1)])

  await storage.rebuild()
  expect(await problems(storage)).toEqual([])
  expect(statSync(join(path, ".pawl/quarantine", part(1).slice(path.length))).isFile()).toBe(true)
  const again = sampleText(session, messageID(1), partID(1), { text: "Again" })
  await storage.commit(session, [{ type: "part.put", part: again }])
  expect(await texts(storage)).toEqual(["Again", "Text 3"])
})

it("lists the other sessions when one is damaged, and says which file is", async () => {
  const { storage, sessionFile } = await stored()
  const other = sessionID(2)
  await storage.commit(other, [{ type: "session.put", session: sampleSession(other) }])
  writeFileSync(sessionFile, "{")
  expect((await collect(storage.listSessions())).map(({ id }) => id)).toEqual([other])
  await expect(storage.readContext(session)).rejects.toThrow(sessionFile)
  await expect(storage.getSession(session)).rejects.toThrow(StorageError)
})

it.each(["journal", "changes", "lease", "index", "context", "lock", "owner", "tmp"])(
  "goes on without %s, or with garbage in it",
  async (name) => {
    const { path, storage } = await stored()
    const before = (await storage.readContext(session)).messages
    await storage.close()
    rmSync(join(path, ".pawl", name), { recursive: true })
    const again = await openStorage(path)
    expect((await again.readContext(session)).messages).toEqual(before)
    await again.commit(session, [])
    await again.acquire(session, "own_a", 1000)
    await again.close()
    const directory = join(path, ".pawl", name)
    for (const file of new Set([session, "sessions.json", ...readdirSync(directory)]))
      writeFileSync(join(directory, file), "\0garbage\n{")
    const third = await openStorage(path)
    expect((await third.readContext(session)).messages).toEqual(before)
    expect(await third.commit(session, [])).toBeGreaterThan(1)
    expect(await collect(third.listSessions({ title: "new" }))).toHaveLength(1)
  },
)

it("finds every session through an index that is missing, wrong or of other files", async () => {
  const { path, storage, sessionFile } = await stored()
  await storage.rebuild()
  const index = join(path, ".pawl/index/sessions.json")
  const good = readFileSync(index, "utf8")
  expect(good).toContain("New session")
  writeFileSync(index, good.replace("New session", "Wrong"))
  const again = await openStorage(path)
  expect(await problems(again)).toEqual(["derived: session index"])
  await again.rebuild()
  expect(await problems(again)).toEqual([])
  mkdirSync(join(path, "session/elsewhere"))
  renameSync(sessionFile, sessionFile.replace("/project/", "/elsewhere/"))
  expect((await again.getSession(session))?.id).toBe(session)
  expect(await collect(again.listSessions({ title: "new session" }))).toHaveLength(1)
})

it("refuses a directory of a newer pawl, of another program, and a file", async () => {
  const { path, storage } = await stored()
  await storage.close()
  writeFileSync(join(path, ".pawl/version.json"), '{"storage":"pawl","schema":2}')
  await expect(openStorage(path)).rejects.toThrow("newer pawl")
  const foreign = temporaryDirectory()
  writeFileSync(join(foreign, "letter.txt"), "Dear Ada")
  await expect(openStorage(foreign)).rejects.toThrow("other things")
  expect(readdirSync(foreign)).toEqual(["letter.txt"])
  await expect(openStorage(join(foreign, "letter.txt"))).rejects.toThrow(StorageError)
})

it.skipIf(process.getuid?.() === 0)("names the path and the next step where it may not write", async () => {
  const { path, storage } = await stored()
  await storage.close()
  chmodSync(join(path, ".pawl/journal"), 0o500)
  const again = await openStorage(path)
  await expect(again.commit(session, [])).rejects.toThrow(/\.pawl.*Give this user the right/)
})

it("keeps what was known of leases on a removed session until nobody can mean to commit by one any more", async () => {
  const { path, storage } = await stored()
  const lease = join(path, `.pawl/lease/${session}`)
  const age = (days: number) => utimesSync(lease, new Date(), new Date(Date.now() - days * 86_400_000))
  await storage.acquire(session, "own_a", 60_000)
  age(8)
  await storage.gc()
  expect(existsSync(lease)).toBe(true)
  await storage.removeSession(session)
  age(6)
  await storage.gc()
  expect(existsSync(lease)).toBe(true)
  age(8)
  await storage.gc()
  expect(existsSync(lease)).toBe(false)
})
