import { expect, it } from "vitest"
import { createOutputTail, lastLines } from "./output-tail.ts"

it("keeps the end of a growing text", () => {
  const tail = createOutputTail()
  for (let line = 1; line <= 100_000; line++) tail.add(`${line}\n`)
  expect(tail.last(13)).toBe("99999\n100000\n")
  expect(tail.last(1e9).length).toBeLessThanOrEqual(65 * 1024)
  expect(tail.last(1e9).length).toBeGreaterThanOrEqual(64 * 1024)
})

it.each([
  ["1\n2\n3\n", { lines: 2, bytes: 100 }, "2\n3\n"],
  ["1\n2\n3", { lines: 2, bytes: 100 }, "2\n3"],
  ["1\n2\n3\n", { lines: 9, bytes: 100 }, "1\n2\n3\n"],
  ["1\n22\n33\n", { lines: 9, bytes: 6 }, "22\n33\n"],
  ["1\n22\n33\n", { lines: 9, bytes: 5 }, "33\n"],
  ["\n\n\n", { lines: 2, bytes: 100 }, "\n\n"],
  ["", { lines: 2, bytes: 100 }, ""],
  ["abcdef", { lines: 2, bytes: 3 }, "def"],
  // Cut between characters, not within one.
  ["ääää", { lines: 2, bytes: 5 }, "ää"],
])("of %j keeps what fits into %j", (text, limits, expected) => {
  expect(lastLines(text, limits)).toBe(expected)
})
