import { expect, it } from "vitest"
import { recordSplitter } from "./record-splitter.ts"

function split(text: string, separator: string, size: number, max?: number): readonly string[] {
  const next = recordSplitter(separator, max)
  const bytes = Buffer.from(text)
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size)
  return starts.flatMap((start) => next(bytes.subarray(start, start + size)))
}

it.each([
  ["a\0bc\0rest", "\0", ["a", "bc"]],
  ["a\nb\x001:text\nc\x002:\n", "\0\n", ["a\nb\x001:text", "c\x002:"]],
])("splits %j by %j, however it is cut", (text, separator, records) => {
  for (const size of [1, 2, 3, 100]) expect(split(text, separator, size)).toEqual(records)
})

it("keeps the start of a long record", () => {
  for (const size of [1, 3, 100])
    expect(split("a\x00123456789\nb\x001\n", "\0\n", size, 5)).toEqual(["a\x00123", "b\x001"])
})
