import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { StorageError } from "@pawl/core/storage"
import { messageID, partID, sampleText, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { createTestLocation } from "@pawl/storage-testkit/processes"
import { expect, it } from "vitest"
import { collect, openStorage, storeSession, temporaryDirectory, temporaryFile } from "../test/place.ts"

const session = sessionID(1)

it("copies what is committed while another process goes on writing", async () => {
  const path = temporaryFile()
  const module = new URL("index.ts", import.meta.url).href
  const { start } = await createTestLocation({ module, url: () => `sqlite:${path}` })
  const child = start("commit-forever")
  for (let count = 0; count < 20; count++) await child.lines.next()
  const storage = await openStorage(path)
  const copy = join(temporaryDirectory(), "below", "copy.db")
  const { revision } = await storage.readContext(session)
  const progress: number[] = []
  await storage.backup(copy, { onProgress: (done, total) => progress.push(done / total) })
  const first = Number((await child.lines.next()).value)
  child.process.kill("SIGKILL")
  expect(first).toBeGreaterThan(0)
  const copied = await openStorage(copy)
  const context = await copied.readContext(session)
  expect(context.revision).toBeGreaterThanOrEqual(revision)
  expect(context.messages).toHaveLength(context.revision - 1)
  expect(await collect(copied.verify())).toEqual([])
  expect(statSync(copy).mode & 0o777).toBe(0o600)
})

it("refuses to write over a file", async () => {
  const storage = await openStorage(temporaryFile())
  const copy = join(temporaryDirectory(), "copy.db")
  writeFileSync(copy, "mine")
  await expect(storage.backup(copy)).rejects.toThrow(`${copy} is there already. Name a new file for the backup.`)
  await expect(storage.backup(copy)).rejects.toThrow(StorageError)
  expect(statSync(copy).size).toBe(4)
})

it("leaves nothing behind when it is aborted", async () => {
  const storage = await openStorage(temporaryFile())
  await storeSession(storage, session)
  await storage.commit(session, [
    { type: "message.put", message: sampleUserMessage(session, messageID(1)) },
    { type: "part.put", part: sampleText(session, messageID(1), partID(1), { text: "x".repeat(6_000_000) }) },
  ])
  const copy = join(temporaryDirectory(), "copy.db")
  const abort = new AbortController()
  const reason = new Error("enough")
  await expect(storage.backup(copy, { signal: abort.signal, onProgress: () => abort.abort(reason) })).rejects.toBe(
    reason,
  )
  expect(readdirSync(dirname(copy))).toEqual([])
  await storage.backup(copy)
  expect(existsSync(copy)).toBe(true)
})

it("says that the storage is closed", async () => {
  const storage = await openStorage(temporaryFile())
  await storage.close()
  await expect(storage.backup(temporaryFile())).rejects.toThrow("is closed")
})
