import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { MaintainedStorage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { type StoredRecord, testStorage, testStorageModel } from "@pawl/storage-testkit"
import { afterAll } from "vitest"
import { unpackFixture } from "../test/fixture.ts"
import { createStorage } from "./file-storage.ts"
import { messagePath, partDirectory, sessionPath } from "./layout.ts"
import { nodeFileSystem } from "./node-file-system.ts"
import { currentProcess } from "@pawl/storage-kit"

const reads = new WeakMap<MaintainedStorage, () => number>()

/** A storage that counts which files of records it opens. What is synced when is shown by crash-states.test.ts; here it would only take time. */
async function openCounted(location: string): Promise<MaintainedStorage> {
  mkdirSync(location, { recursive: true })
  const fs = nodeFileSystem(location)
  let count = 0
  const counted = {
    ...fs,
    sync: async () => {},
    readFile(path: string) {
      if (/^(?:session|message|part)\//.test(path)) count++
      return fs.readFile(path)
    },
  }
  const options = { path: location, pollInterval: 50, durability: "async" } as const
  const storage = await createStorage(options, { fs: counted, self: currentProcess() })
  reads.set(storage, () => count)
  return storage
}

function pathOf({ sessionID, messageID, partID }: StoredRecord): string {
  if (messageID === undefined) return sessionPath("project", sessionID)
  return partID === undefined ? messagePath(sessionID, messageID) : `${partDirectory(messageID)}/${partID}.json`
}

const unpacked = mkdtempSync(join(tmpdir(), "pawl-file-fixtures-"))
afterAll(() => rmSync(unpacked, { recursive: true, force: true }))

testStorage("file", {
  open: openCounted,
  countReads: (storage) => reads.get(storage)?.() ?? 0,
  damage: (location, record, text) => writeFileSync(join(location, pathOf(record)), text),
  fixtures: ["version-1"].map((name) => ({ name, path: unpackFixture(name, unpacked) })),
})
testStorageModel("file", { open: openCounted, reference: memoryStorage })
