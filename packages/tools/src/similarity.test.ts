import { expect, it } from "vitest"
import { similarity } from "./similarity.ts"

it.each([
  ["", "", 1],
  ["abc", "abc", 1],
  ["abc", "abd", 2 / 3],
  ["kitten", "sitting", 4 / 7],
  ["", "abc", 0],
])("of %j and %j is %d", (a, b, expected) => {
  expect(similarity(a, b)).toBeCloseTo(expected)
  expect(similarity(b, a)).toBeCloseTo(expected)
})

it("looks at the start of very long texts and counts the rest as different", () => {
  const [a, b] = ["a".repeat(5000), "b".repeat(5000)]
  expect(similarity(a, b)).toBe(0)
  expect(similarity(`${a}x`, `${a}y`)).toBeCloseTo(1, 3)
})
