import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { memoryStorage } from "@pawl/storage-memory"
import { testStorage, testStorageModel } from "@pawl/storage-testkit"
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

const fixtures = [{ name: "schema 1", path: unpacked("samples-version-1.db") }]
testStorage("sqlite", { open: countedStorage, countReads, fixtures })
testStorageModel("sqlite", {
  open: (location) => sqliteStorage({ path: location, pollInterval: 20 }),
  reference: memoryStorage,
})
