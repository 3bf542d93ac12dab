import { expect, it } from "vitest"
import { newestThatFit } from "./newest-that-fit.ts"

const images = (count: number, bytes = 10) => Array.from({ length: count }, () => ({ images: 1, bytes }))
const most = { images: 8, bytes: 1_000 }
const gone = (files: readonly { images: number; bytes: number }[]) => {
  const left = newestThatFit(files, most)
  return files.flatMap((file, at) => (left.has(file) ? [at] : []))
}

it("lets all files go along that fit", () => {
  expect(gone(images(8))).toEqual([])
  expect(gone([])).toEqual([])
})

it("leaves the oldest out once there are too many, and a few more, so that the next ones change nothing", () => {
  expect(gone(images(9))).toEqual([0, 1, 2])
  expect(gone(images(10))).toEqual([0, 1, 2])
  expect(gone(images(11))).toEqual([0, 1, 2])
  expect(gone(images(12))).toEqual([0, 1, 2, 3, 4, 5])
})

it("leaves out what makes a request too large, whatever it is, but never the newest", () => {
  const file = { images: 0, bytes: 400 }
  expect(gone([{ ...file }, { ...file }, { ...file }])).toEqual([0, 1])
  expect(gone([{ ...file }, { ...file, bytes: 5_000 }])).toEqual([0])
  expect(gone([{ ...file, bytes: 5_000 }])).toEqual([])
})

it("keeps other files where only the images are too many", () => {
  expect(gone([{ images: 0, bytes: 10 }, ...images(9)])).toEqual([1, 2, 3])
})

it("says why", () => {
  const files = images(9)
  expect([...newestThatFit(files, most).values()][0]).toBe("a request may have 8 images, and there are newer ones")
})
