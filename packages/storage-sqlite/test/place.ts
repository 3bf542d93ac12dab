import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"
import type { SessionID, MaintainedStorage } from "@pawl/core/storage"
import { sampleSession } from "@pawl/storage-testkit"
import { onTestFinished } from "vitest"
import { type SqliteStorage, sqliteStorage, type SqliteStorageOptions } from "../src/sqlite-storage.ts"

/** A directory that is removed when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "pawl-sqlite-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function temporaryFile(): string {
  return join(temporaryDirectory(), "pawl.db")
}

/** A storage that is closed when the test ends. */
export async function openStorage(
  path: string,
  options: Omit<SqliteStorageOptions, "path"> = {},
): Promise<SqliteStorage> {
  const storage = await sqliteStorage({ path, ...options })
  onTestFinished(() => storage.close())
  return storage
}

/** SQLite itself on the file, to look behind the contract or to hold its lock. */
export function openRaw(path: string): DatabaseSync {
  const db = new DatabaseSync(path)
  onTestFinished(() => {
    if (db.isOpen) db.close()
  })
  return db
}

export async function storeSession(storage: MaintainedStorage, id: SessionID): Promise<void> {
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
}

/** A copy of what the first version of the schema wrote: three sessions, a large part, and three blobs. */
export function fileOfVersion1(): string {
  const path = temporaryFile()
  writeFileSync(path, gunzipSync(readFileSync(new URL("fixtures/version-1.db.gz", import.meta.url))))
  return path
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}
