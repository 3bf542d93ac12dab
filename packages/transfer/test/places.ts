import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Storage } from "@pawl/core/storage"
import { memoryStorage } from "@pawl/storage-memory"
import { sqliteStorage } from "@pawl/storage-sqlite"
import { afterEach } from "vitest"

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A directory of its own, removed with the test. */
export async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "pawl-transfer-"))
  cleanups.push(() => rm(path, { recursive: true, force: true }))
  return path
}

/** The storages that a transfer is tested between. */
export const storages: readonly (readonly [name: string, open: () => Promise<Storage>])[] = [
  ["memory", async () => closed(memoryStorage())],
  [
    "sqlite",
    async () => closed(await sqliteStorage({ path: join(await directory(), "pawl.db"), durability: "async" })),
  ],
]

function closed(storage: Storage): Storage {
  cleanups.push(() => storage.close())
  return storage
}
