import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { memoryStorage } from "@pawl/storage-memory"
import { onTestFinished } from "vitest"
// By their places: core must not depend on a storage, and these are not among the workspace's own dependencies.
import { fileStorage } from "../../storage-file/src/index.ts"
import { sqliteStorage } from "../../storage-sqlite/src/index.ts"
import type { Storage, Write } from "../src/storage.ts"

/** What sessions are tested over. Each call opens an empty storage that goes with the test. */
export const storages: readonly { readonly name: string; readonly open: () => Promise<Storage> }[] = [
  {
    name: "memory",
    async open() {
      const storage = memoryStorage()
      onTestFinished(() => storage.close())
      return storage
    },
  },
  {
    name: "sqlite",
    async open() {
      const directory = await temporaryDirectory()
      const storage = await sqliteStorage({ path: join(directory, "pawl.db") })
      onTestFinished(() => storage.close())
      return storage
    },
  },
]

/** The same, and storage-file, whose syncs take longer. */
export const allStorages = [
  ...storages,
  {
    name: "file",
    async open() {
      const storage = await fileStorage({ path: join(await temporaryDirectory(), "store") })
      onTestFinished(() => storage.close())
      return storage
    },
  },
]

/** Removed when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-core-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }))
  return directory
}

/** Every commit fails from the first one on at which it `dies`, told its place from 0 and its writes: as for a process that is killed. */
export function dying(storage: Storage, dies: (n: number, writes: readonly Write[]) => boolean): Storage {
  let commits = 0
  let isDead = false
  return Object.assign(Object.create(storage) as Storage, {
    commit: (...input: Parameters<Storage["commit"]>) => {
      isDead ||= dies(commits++, input[1])
      if (isDead) throw new Error("The process is dead.")
      return storage.commit(...input)
    },
  })
}

/** Stops at a commit, which is made or not, and makes none afterwards: as for a process that is killed. */
export function stopping(storage: Storage, at: number, isMade: boolean) {
  let commits = 0
  const mortal = Object.assign(Object.create(storage) as Storage, {
    async commit(...input: Parameters<Storage["commit"]>) {
      const n = commits++
      const revision = n < at || (n === at && isMade) ? await storage.commit(...input) : 0
      if (n >= at) throw new Error("The process is dead.")
      return revision
    },
  })
  return { storage: mortal, hasStopped: () => commits > at }
}
