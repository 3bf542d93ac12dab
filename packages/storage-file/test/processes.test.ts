import { readdirSync } from "node:fs"
import { join } from "node:path"
import { createTestLocation, testStorageProcesses } from "@pawl/storage-testkit/processes"
import { expect, it } from "vitest"
import { openStorage, temporaryDirectory } from "./place.ts"

const module = new URL("../src/index.ts", import.meta.url).href

testStorageProcesses("file", { module, url: (directory) => `file:${join(directory, "store")}` })

it("leaves no lock behind when processes have waited for each other", async () => {
  const path = temporaryDirectory()
  const { start } = await createTestLocation({ module, url: () => `file:${path}` })
  const children = [0, 1, 2, 3].map((index) => start("commit-many", index * 50 + 1, 50))
  const ends = await Promise.all(children.map(({ ended }) => ended))
  expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, stderr: "" })))
  for (const left of ["lock", "tmp", "owner"]) expect(readdirSync(join(path, ".pawl", left))).toEqual([])
})

it("tells a watcher of what another process commits, long before it would look by itself", async () => {
  const path = temporaryDirectory()
  const storage = await openStorage(path, { pollInterval: 600_000 })
  const changes = storage.watch({}, AbortSignal.timeout(100_000))[Symbol.asyncIterator]()
  const { start } = await createTestLocation({ module, url: () => `file:${path}` })
  const child = start("commit-many", 1, 20)
  let revision: number | undefined = 0
  while (revision !== undefined && revision < 21) revision = (await changes.next()).value?.revision
  expect(revision).toBe(21)
  expect((await child.ended).code).toBe(0)
})
