import { expect, it } from "vitest"
import { createHotReload } from "./hot-reload.ts"

it("tells once why it did not begin, and ends all the same", async () => {
  const failed = Promise.withResolvers<unknown>()
  let told = 0
  const following = createHotReload(
    () => Promise.reject(new Error("no watches are left")),
    (error) => {
      told++
      failed.resolve(error)
    },
    0,
  )
  following.begin()
  following.begin()

  expect(await failed.promise).toEqual(new Error("no watches are left"))
  await following.end()
  expect(told).toBe(1)
})

it("does not begin in a run that is over before, and else ends what began", async () => {
  const calls: string[] = []
  const began = Promise.withResolvers<void>()
  const start = async () => {
    calls.push("start")
    began.resolve()
    return { reload: async () => void calls.push("reload"), stop: async () => void calls.push("stop") }
  }
  const fail = (error: unknown) => expect.unreachable(String(error))
  const short = createHotReload(start, fail)
  short.begin()
  await short.end()
  expect(calls).toEqual([])

  const long = createHotReload(start, fail, 0)
  long.begin()
  await began.promise
  await long.end()
  expect(calls).toEqual(["start", "stop"])
})

it("starts at once for a request to reload, and does nothing after the end", async () => {
  const calls: string[] = []
  const start = async () => {
    calls.push("start")
    return { reload: async () => void calls.push("reload"), stop: async () => void calls.push("stop") }
  }
  const following = createHotReload(start, (error) => expect.unreachable(String(error)))
  following.begin()
  await following.reload()
  await following.reload()
  await following.end()
  await following.reload()
  expect(calls).toEqual(["start", "reload", "reload", "stop"])
})
