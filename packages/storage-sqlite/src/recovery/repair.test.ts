import { closeSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it, onTestFinished } from "vitest"
import { collect, openRaw, openStorage, temporaryFile } from "../../test/place.ts"
import { isBusy, damageError } from "../errors.ts"
import { openDatabase } from "../open-database.ts"
import { sqliteStorage } from "../sqlite-storage.ts"
import { openPresence, type Presence } from "./presence.ts"
import { createRepair } from "./repair.ts"

const session = sessionID(1)
const PAGE = 1024
/** Pages of indexes, and the upper pages of tables. */
const UPPER = [0x02, 0x05, 0x0a]

function presenceOn(path: string): Presence {
  const presence = openPresence(path)
  onTestFinished(() => presence.close())
  return presence
}

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

it("neither opens nor replaces a file while another process has it alone", () => {
  const path = temporaryFile()
  openDatabase(path, "sync").close()
  const { ino } = statSync(path, { bigint: true })
  const repair = createRepair({ path, presence: presenceOn(path), onDamage: "recover" })
  let opened = 0
  presenceOn(path).alone(() => {
    const opening = thrownBy(() => repair.open(() => (opened++, openDatabase(path, "sync"))))
    const replacing = thrownBy(() => repair.replace(ino, damageError("no")))
    expect([opening, replacing].map(isBusy)).toEqual([true, true])
  })
  expect(opened).toBe(0)
})

/** Its first page, its indexes and the upper pages of its tables are gone. */
async function damagedWhileOpen(path: string, open: () => Promise<unknown>): Promise<void> {
  const storage = await sqliteStorage({ path })
  await storage.commit(session, [
    { type: "session.put", session: sampleSession(session) },
    { type: "message.put", message: sampleUserMessage(session, messageID(1)) },
    { type: "part.put", part: sampleText(session, messageID(1), partID(1), { text: "kept" }) },
  ])
  await storage.close()
  await open()
  const bytes = readFileSync(path)
  bytes.fill(0, 0, PAGE)
  for (let page = PAGE; page < bytes.length; page += PAGE) {
    if (UPPER.includes(bytes[page] ?? 0)) bytes.fill(0xaa, page, page + PAGE)
  }
  // In place: the handles keep their file.
  const file = openSync(path, "r+")
  writeFileSync(file, bytes)
  closeSync(file)
}

it("says who is in the way of a recovery, and recovers once they have gone", async () => {
  const path = temporaryFile()
  const storages: Awaited<ReturnType<typeof openStorage>>[] = []
  await damagedWhileOpen(path, async () => {
    for (const onDamage of ["recover", "refuse"] as const) storages.push(await openStorage(path, { onDamage }))
  })
  const [storage, other] = storages
  await expect(storage?.readContext(session)).rejects.toThrow("other processes have it open. End them")
  await expect(storage?.readContext(session)).rejects.toThrow("other processes have it open. End them")
  await other?.close()
  expect((await storage?.readContext(session))?.messages[0]?.parts).toHaveLength(1)
})

it("closes while the damaged file waits to be recovered", async () => {
  const path = temporaryFile()
  const storages: Awaited<ReturnType<typeof openStorage>>[] = []
  await damagedWhileOpen(path, async () => {
    for (const onDamage of ["recover", "refuse"] as const) storages.push(await openStorage(path, { onDamage }))
  })
  const [storage, other] = storages
  await expect(storage?.readContext(session)).rejects.toThrow("other processes have it open")
  await storage?.close()
  await expect(storage?.readContext(session)).rejects.toThrow("is closed")
  await other?.close()
  expect(thrownBy(() => presenceOn(path).alone(() => {}))).toBeUndefined()
})

it("keeps a blob whose pieces are all there, whatever its row says", async () => {
  const path = temporaryFile()
  const storage = await sqliteStorage({ path })
  const blob = await storage.blobs.put(new Uint8Array(300_000).fill(3))
  await storage.close()
  const raw = openRaw(path)
  raw.exec("UPDATE blob SET whole = 0")
  raw.close()
  const file = openSync(path, "r+")
  writeFileSync(file, Buffer.alloc(100))
  closeSync(file)
  const recovered = await openStorage(path, { onDamage: "recover" })
  expect(await recovered.blobs.get(blob)).toHaveLength(300_000)
})

it("opens a file whose log was cut off while it was begun", async () => {
  const path = temporaryFile()
  const storage = await sqliteStorage({ path })
  await storage.commit(session, [{ type: "session.put", session: sampleSession(session) }])
  await storage.close()
  writeFileSync(`${path}-wal`, Buffer.alloc(16, 0x37))
  expect(await collect((await openStorage(path)).listSessions())).toHaveLength(1)
})
