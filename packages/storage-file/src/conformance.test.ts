import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Storage } from "@pawl/core"
import { testStorage } from "@pawl/storage-testkit"
import { afterAll } from "vitest"
import { unpackFixture } from "../test/fixture.ts"
import { createStorage, makeRoot } from "./file-storage.ts"
import { nodeFileSystem } from "./node-file-system.ts"
import { currentProcess } from "@pawl/storage-kit"

const reads = new WeakMap<Storage, () => number>()

/** A storage that counts which files of records it opens. */
async function openCounted(location: string): Promise<Storage> {
  makeRoot(location)
  const fs = nodeFileSystem(location)
  let count = 0
  const counted = {
    ...fs,
    readFile(path: string) {
      if (/^(?:session|message|part)\//.test(path)) count++
      return fs.readFile(path)
    },
  }
  // What is synced when is shown by crash-states.test.ts; here it would only take time.
  const options = { path: location, pollInterval: 50, durability: "async" } as const
  const storage = await createStorage(options, { fs: counted, self: currentProcess() })
  reads.set(storage, () => count)
  return storage
}

const unpacked = mkdtempSync(join(tmpdir(), "pawl-file-fixtures-"))
afterAll(() => rmSync(unpacked, { recursive: true, force: true }))

testStorage("file", {
  open: openCounted,
  countReads: (storage) => reads.get(storage)?.() ?? 0,
  fixtures: ["version-1"].map((name) => ({ name, path: unpackFixture(name, unpacked) })),
})
