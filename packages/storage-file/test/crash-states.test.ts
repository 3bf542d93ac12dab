import { messageID, sessionID } from "@pawl/storage-testkit/samples"
import { expect, it } from "vitest"
import { createStorage, type FileStorageOptions } from "../src/file-storage.ts"
import { currentProcess } from "@pawl/storage-kit"
import { collect } from "./place.ts"
import { describe, expectedStates, turn } from "./scripted-turn.ts"
import { type PowerCut, SimulatedDisk } from "./simulated-disk.ts"

// Every prefix of what a turn does to the disk, and for each what a killed process or a power cut leaves of it.

const living = currentProcess()
/** No process has an id so large. */
const dead = { ...living, pid: 2 ** 30, start: "1" }
const afterRestart = { ...living, boot: "the next" }

type Options = Pick<FileStorageOptions, "durability">

/** Small enough a journal for some checkpoints within the turn. */
const open = (fs: SimulatedDisk, self = living, options: Options = {}) =>
  createStorage(
    { path: "/simulated", ...options },
    { fs, self, longestJournal: 2500, shortestLog: 100, warn: () => {} },
  )

/** Runs the turn until the disk stops; returns how many steps were acknowledged. */
async function runUntilStopped(disk: SimulatedDisk, self = dead, options: Options = {}): Promise<number> {
  let acknowledged = 0
  try {
    const storage = await open(disk, self, options)
    for (const step of turn) {
      await step(storage)
      acknowledged++
    }
    await storage.close()
  } catch (error) {
    if ((error as Error).name !== "Stopped") throw error
  }
  return acknowledged
}

/** Opens what is left, which must be the state after the steps acknowledged, or after the one that was under way. */
async function check(
  disk: SimulatedDisk,
  self: typeof living,
  [states, acknowledged]: readonly [readonly object[], number],
  what: string,
) {
  const storage = await open(disk, self)
  const found = JSON.stringify(await describe(storage))
  const allowed = states.slice(acknowledged, acknowledged + 2).map((state) => JSON.stringify(state))
  expect(allowed.map((state) => ({ what, state }))).toContainEqual({ what, state: found })
  expect({ what, problems: await collect(storage.verify()) }).toEqual({ what, problems: [] })
  await turn[0]?.(storage)
  expect((await storage.readContext(sessionID(1))).messages[0]?.info.id).toBe(messageID(1))
  await storage.close()
}

async function countOperations(): Promise<number> {
  const disk = new SimulatedDisk()
  await runUntilStopped(disk)
  return disk.operations
}

const cuts: readonly [name: string, cut: PowerCut][] = [
  ["kept", { bytes: () => "kept", names: () => "kept" }],
  ["lost", { bytes: () => "lost", names: () => "lost" }],
  ["lost but for names", { bytes: () => "lost", names: () => "kept" }],
  ["half lost", { bytes: () => "half", names: () => "kept" }],
  ["lost but for bytes", { bytes: () => "kept", names: () => "lost" }],
  [
    "lost here and there",
    {
      bytes: (path) => (hash(path) % 2 ? "lost" : "half"),
      names: (path) => (hash(path) % 3 ? "kept" : "lost"),
    },
  ],
]

it.each([false, true])(
  "has every acknowledged commit and no half of one, wherever its process is killed (within a write: %s)",
  async (isTorn) => {
    const [states, operations] = [await expectedStates(open), await countOperations()]
    expect(operations).toBeGreaterThan(120)
    for (let operation = 1; operation <= operations; operation++) {
      const disk = new SimulatedDisk()
      disk.stopBefore(operation, isTorn)
      const acknowledged = await runUntilStopped(disk)
      await check(disk.next(), living, [states, acknowledged], `killed at operation ${operation}`)
    }
  },
)

it.each(cuts)("has every acknowledged commit after a power cut, what was not synced being %s", async (_, cut) => {
  const [states, operations] = [await expectedStates(open), await countOperations()]
  for (let operation = 1; operation <= operations; operation++) {
    const disk = new SimulatedDisk()
    disk.stopBefore(operation, operation % 2 === 0)
    const acknowledged = await runUntilStopped(disk)
    await check(disk.next(cut), afterRestart, [states, acknowledged], `power cut at operation ${operation}`)
  }
})

it("sets right what was left when setting it right is interrupted, too", async () => {
  const [states, operations] = [await expectedStates(open), await countOperations()]
  for (let operation = 40; operation <= operations; operation += 9) {
    const disk = new SimulatedDisk()
    disk.stopBefore(operation)
    const acknowledged = await runUntilStopped(disk)
    for (const [cut, self, deadAgain] of [
      [undefined, living, dead],
      [cuts[2]?.[1], afterRestart, { ...afterRestart, pid: dead.pid }],
    ] as const) {
      for (let second = 1, isDone = false; !isDone; second += 2) {
        const left = disk.next(cut)
        left.stopBefore(second)
        isDone = await openAndRead(left, deadAgain)
        await check(left.next(cut), self, [states, acknowledged], `stopped at ${operation}, then at ${second}`)
      }
    }
  }
})

/** False when the disk stopped before everything was read. */
async function openAndRead(disk: SimulatedDisk, self: typeof living): Promise<boolean> {
  try {
    await describe(await open(disk, self))
    return true
  } catch (error) {
    if ((error as Error).name !== "Stopped") throw error
    return false
  }
}

it("notices a storage that acknowledges what is not on the disk", async () => {
  const states = await expectedStates(open)
  const disk = new SimulatedDisk()
  const acknowledged = await runUntilStopped(disk, dead, { durability: "async" })
  expect(acknowledged).toBe(turn.length)
  const early = new SimulatedDisk()
  early.stopBefore(disk.operations - 30)
  const some = await runUntilStopped(early, dead, { durability: "async" })
  const [, lost] = cuts[1] ?? []
  await expect(check(early.next(lost), afterRestart, [states, some], "async")).rejects.toThrow(
    "to deep equally contain",
  )
})

function hash(text: string): number {
  return Array.from(text).reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) >>> 0, 7)
}
