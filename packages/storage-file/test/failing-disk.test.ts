import { StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { createStorage } from "../src/file-storage.ts"
import { currentProcess } from "@pawl/storage-kit"
import { collect } from "./place.ts"
import { describe, expectedStates, turn } from "./scripted-turn.ts"
import { SimulatedDisk } from "./simulated-disk.ts"

const CHANGES = ["write", "append", "overwrite", "rename", "makeDirectory", "sync", "link", "truncate"]

const open = (fs: SimulatedDisk) =>
  createStorage(
    { path: "/simulated" },
    { fs, self: currentProcess(), longestJournal: 2500, shortestLog: 100, warn: () => {} },
  )

it.each([
  ["ENOSPC", 1],
  ["ENOSPC", 4],
  ["EIO", 1],
  ["EIO", 4],
])("does a step wholly or not at all when the disk says %s %i times, and goes on afterwards", async (code, times) => {
  const states = await expectedStates(open)
  let failures = 0
  for (let first = 0; ; first++) {
    const disk = new SimulatedDisk()
    const storage = await open(disk)
    let seen = 0
    const failing = (operation: string) => {
      if (!CHANGES.includes(operation)) return undefined
      seen++
      return seen > first && seen <= first + times ? code : undefined
    }
    for (const [index, step] of turn.entries()) {
      disk.failWith(failing)
      const failed = await step(storage).then(
        () => undefined,
        (error: unknown) => error,
      )
      disk.failWith(undefined)
      const what = `${code} from change ${first + 1} on, step ${index + 1}`
      const found = JSON.stringify(await describe(storage))
      const allowed = (failed ? [states[index], states[index + 1]] : [states[index + 1]]).map((state) =>
        JSON.stringify(state),
      )
      expect(allowed.map((state) => ({ what, state }))).toContainEqual({ what, state: found })
      if (!failed) continue
      failures++
      expect(failed).toBeInstanceOf(StorageError)
      expect((failed as Error).message).toMatch(
        code === "ENOSPC" ? /disk .* is full\. Free some space/ : /Check the disk/,
      )
      if (found === JSON.stringify(states[index])) await step(storage)
    }
    expect(JSON.stringify(await describe(storage))).toBe(JSON.stringify(states.at(-1)))
    expect(await collect(storage.verify())).toEqual([])
    await storage.close()
    if (seen <= first) break
  }
  expect(failures).toBeGreaterThan(50)
})
