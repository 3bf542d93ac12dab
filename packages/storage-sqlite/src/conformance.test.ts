import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { gunzipSync } from "node:zlib"
import { memoryStorage } from "@pawl/storage-memory"
import { type StoredRecord, testStorage, testStorageModel } from "@pawl/storage-testkit"
import { afterAll } from "vitest"
import { countedStorage, countReads } from "../test/counted-storage.ts"
import { sqliteStorage } from "./sqlite-storage.ts"

const directory = mkdtempSync(join(tmpdir(), "pawl-fixtures-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function unpacked(name: string): string {
  for (const file of [name, `${name}.json`]) {
    const packed = readFileSync(new URL(`../test/fixtures/${file}.gz`, import.meta.url))
    writeFileSync(join(directory, file), gunzipSync(packed))
  }
  return join(directory, name)
}

function damage(path: string, { sessionID, messageID, partID }: StoredRecord, text: string): void {
  const raw = new DatabaseSync(path)
  raw
    .prepare(
      "UPDATE record SET data = ? WHERE session = (SELECT key FROM session WHERE id = ?) AND message_id = ? AND part_id = ?",
    )
    .run(text, sessionID, messageID ?? "", partID ?? "")
  raw.close()
}

const fixtures = [{ name: "schema 1", path: unpacked("samples-version-1.db") }]
testStorage("sqlite", { open: countedStorage, countReads, damage, fixtures })
testStorageModel("sqlite", {
  open: (location) => sqliteStorage({ path: location, pollInterval: 20 }),
  reference: memoryStorage,
})
