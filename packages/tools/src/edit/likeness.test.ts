import { expect, it } from "vitest"
import { createLikeness } from "./likeness.ts"

it("adds up line by line how alike two texts are", () => {
  const lines = ["same", "abc", "xyz"]
  const sums = createLikeness(["same", "abd", "uvw"]).sums((index) => lines[index] ?? "", 3, 0)
  expect(sums.map((sum) => Math.round(sum * 100))).toEqual([0, 100, 167, 167])
})

it("stops where the rest could not make up for what differs", () => {
  const asked: number[] = []
  const line = (index: number) => {
    asked.push(index)
    return "xxxx"
  }
  const wanted = Array.from({ length: 100 }, () => "oooo")
  createLikeness(wanted).sums(line, 100, 65)
  expect(asked).toHaveLength(36)
})

it("compares the same two lines once, and nothing once its work is spent", () => {
  const likeness = createLikeness(["one line"], 1000)
  for (let round = 0; round < 50; round++) likeness.sums(() => "another line", 1, 0)
  expect(likeness.isSpent).toBe(false)
  for (let round = 0; round < 50; round++) likeness.sums(() => `line ${round}`, 1, 0)
  expect(likeness.isSpent).toBe(true)
  expect(likeness.sums(() => "one line", 1, 0)).toEqual([0])
})
