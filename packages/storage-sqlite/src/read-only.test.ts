import { chmodSync, readdirSync } from "node:fs"
import { dirname } from "node:path"
import { messageID, sampleUserMessage, sessionID } from "@pawl/storage-testkit"
import { expect, it } from "vitest"
import { startChild } from "../test/child.ts"
import { collect, openRaw, openStorage, storeSession, temporaryFile } from "../test/place.ts"
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
  const connection = await openReadOnly({ path, durability: "sync", lockTimeout: 100 }, denied)
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
