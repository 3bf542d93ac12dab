import { expect, it } from "vitest"
import { createFileTimes } from "./file-times.ts"

const version = { mtimeMs: 1, size: 10, hash: "aa" }

it("knows nothing of files that were never seen", () => {
  expect(createFileTimes().isChanged("ses_1", "/a", version)).toBe(false)
})

it("compares contents where both are known", () => {
  const times = createFileTimes()
  times.record("ses_1", "/a", version)
  expect(times.isChanged("ses_1", "/a", { ...version, mtimeMs: 2 })).toBe(false)
  expect(times.isChanged("ses_1", "/a", { ...version, hash: "bb" })).toBe(true)
})

it("compares time and size where only a part was read", () => {
  const times = createFileTimes()
  times.record("ses_1", "/a", { mtimeMs: 1, size: 10 })
  expect(times.isChanged("ses_1", "/a", version)).toBe(false)
  expect(times.isChanged("ses_1", "/a", { ...version, mtimeMs: 2 })).toBe(true)
  expect(times.isChanged("ses_1", "/a", { ...version, size: 11 })).toBe(true)
})

it("keeps sessions apart", () => {
  const times = createFileTimes()
  times.record("ses_1", "/a", version)
  expect(times.isChanged("ses_2", "/a", { ...version, hash: "bb" })).toBe(false)
})

it("forgets the oldest entries rather than growing for ever", () => {
  const times = createFileTimes()
  for (let index = 0; index <= 10_000; index++) times.record("ses_1", `/${index}`, version)
  const changed = { ...version, hash: "bb" }
  expect(times.isChanged("ses_1", "/0", changed)).toBe(false)
  expect(times.isChanged("ses_1", "/1", changed)).toBe(true)
})
