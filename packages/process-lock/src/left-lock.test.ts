import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { currentProcess } from "@pawl/storage-kit"
import { expect, it, onTestFinished } from "vitest"
import { createWatch } from "./left-lock.ts"

/** Looks at the lock of such an owner after some seconds of not being touched. */
async function createScene(owner: object | string) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-lock-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const lock = join(directory, "a.lock")
  const known = { ...currentProcess(), token: "left" }
  await writeFile(lock, typeof owner === "string" ? owner : JSON.stringify({ ...known, ...owner }))
  let now = 0
  const look = createWatch(lock, () => now)
  return {
    touch: (seconds: number) => utimes(lock, seconds, seconds),
    lookAfter: async (seconds: number) => {
      now += seconds * 1000
      return (await look())?.token
    },
  }
}

it("takes an owner of another machine for gone when it gives no sign of life", async () => {
  const { lookAfter, touch } = await createScene({ host: "elsewhere" })
  expect(await lookAfter(0)).toBeUndefined()
  expect(await lookAfter(4)).toBeUndefined()
  await touch(1)
  expect(await lookAfter(4)).toBeUndefined()
  expect(await lookAfter(4)).toBeUndefined()
  expect(await lookAfter(4)).toBe("left")
})

it.runIf(process.platform === "linux")("leaves alone who lives, however long it does nothing", async () => {
  const { lookAfter } = await createScene({})
  expect(await lookAfter(0)).toBeUndefined()
  expect(await lookAfter(3600)).toBeUndefined()
})

it("sees at once that a process of this machine is gone", async () => {
  const { lookAfter } = await createScene({ boot: "an earlier one" })
  expect(await lookAfter(0)).toBe("left")
})

it.each([
  ["a power cut has emptied it", ""],
  ["it is half of one", '{"token":"le'],
  ["it is no owner", "[]"],
  ["its name would lead elsewhere", { token: "../../x", boot: "an earlier one" }],
])("takes a lock for left when nobody touches it and it does not say whose it is: %s", async (_, content) => {
  const { lookAfter } = await createScene(content)
  expect(await lookAfter(0)).toBeUndefined()
  expect(await lookAfter(4)).toBeUndefined()
  expect(await lookAfter(4)).toBe("unreadable")
})
