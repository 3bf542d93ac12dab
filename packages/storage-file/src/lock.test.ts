import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { currentProcess } from "@pawl/storage-kit"
import { expect, it } from "vitest"
import { temporaryDirectory } from "../test/place.ts"
import { LOCKS, OWNERS, TEMPORARY } from "./layout.ts"
import { createLocks } from "./lock.ts"
import { createLockQueue } from "./lock-queue.ts"
import { nodeFileSystem } from "./node-file-system.ts"

const living = currentProcess()

function lockDirectory() {
  const root = temporaryDirectory()
  for (const directory of [LOCKS, OWNERS, TEMPORARY]) mkdirSync(join(root, directory), { recursive: true })
  const fs = nodeFileSystem(root)
  const locks = (token: string, self = living, lockTimeout = 100_000) =>
    createLocks({ fs, root, self, token, lockTimeout })
  const queue = (token: string, isFree = false) => {
    fs.write(`${OWNERS}/${token}`, Buffer.from("{}"))
    const link = (path: string) => void fs.link(`${OWNERS}/${token}`, path)
    return createLockQueue({ fs, name: "a", token, link, isFree: () => isFree })
  }
  return { fs, locks, queue, left: () => readdirSync(join(root, LOCKS)) }
}

it("has those who wait come one after the other, in the order in which they came", () => {
  const { queue, left } = lockDirectory()
  const [first, second, third] = [queue("1"), queue("2"), queue("3")]
  for (const each of [first, second, third]) each.wait()
  const newcomer = queue("4")
  expect([newcomer, third, second, first].map((each) => each.isNext())).toEqual([false, false, false, true])
  first.leave()
  expect([newcomer, third, second].map((each) => each.isNext())).toEqual([false, false, true])
  second.leave()
  expect([newcomer, third].map((each) => each.isNext())).toEqual([false, true])
  third.leave()
  expect(newcomer.isNext()).toBe(true)
  expect(left()).toEqual([])
})

it("looks the more seldom the more are before it, and never later than in 20 ms", () => {
  const { queue } = lockDirectory()
  const waits = Array.from({ length: 40 }, (_, index) => {
    const each = queue(String(index))
    each.wait()
    each.isNext()
    return each.wait()
  })
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect([waits[0], waits.at(-1)]).toEqual([1, 20])
})

it("passes over one who leaves a free lock alone, and lets it be first again when it comes back", async () => {
  const { queue, left } = lockDirectory()
  const [stopped, next] = [queue("1"), queue("2", true)]
  for (const each of [stopped, next]) each.wait()
  expect(next.isNext()).toBe(false)
  while (!next.isNext()) await sleep(5)
  expect(left()).toHaveLength(1)
  expect(stopped.isNext()).toBe(true)
  expect(next.isNext()).toBe(false)
})

it("passes over nobody while the lock is held, however long", async () => {
  const { queue, left } = lockDirectory()
  const [first, second] = [queue("1"), queue("2")]
  for (const each of [first, second]) each.wait()
  for (let look = 0; look < 20; look++) {
    expect(second.isNext()).toBe(false)
    await sleep(5)
  }
  expect(left()).toHaveLength(2)
})

it("is held by one at a time, though some die with it and some leave their work undone", async () => {
  const { locks, left } = lockDirectory()
  let holders = 0
  let most = 0
  let inherited = 0
  const dead = { ...living, pid: 2 ** 30, start: "1" }
  const work = async (_: unknown, index: number) => {
    for (let round = 0; round < 6; round++) {
      const isDying = (index + round) % 5 === 0
      const lock = await locks(`${index}-${round}`, isDying ? dead : living).take("a")
      if (lock.isInherited) inherited++
      if (isDying) continue
      most = Math.max(most, ++holders)
      await sleep(1)
      holders--
      if (round % 3 === 2) lock.abandon()
      else lock.release()
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  expect(most).toBe(1)
  expect(inherited).toBeGreaterThan(15)
  const last = await locks("last").take("a")
  last.release()
  expect(left()).toEqual([])
})

it("gives up after the time that was set, and leaves no ticket behind", async () => {
  const { locks, left } = lockDirectory()
  const held = await locks("1").take("a")
  await expect(locks("2", living, 30).take("a")).rejects.toThrow(/Another process works on a/)
  expect(left()).toEqual(["a"])
  held.release()
  expect(left()).toEqual([])
})

it("takes the lock of a dead owner behind whom others died waiting", async () => {
  const { fs, locks, left } = lockDirectory()
  const dead = { ...living, pid: 2 ** 30, start: "1" }
  await locks("1", dead).take("a")
  for (const token of ["2", "3", "4"]) {
    await locks(token, dead).take(token)
    fs.link(`${OWNERS}/${token}`, `${LOCKS}/a.wait-0000000000000000000${token}-${token}`)
    fs.remove(`${LOCKS}/${token}`)
  }
  const lock = await locks("5").take("a")
  expect(lock.isInherited).toBe(true)
  lock.release()
  expect(left()).toEqual([])
})
