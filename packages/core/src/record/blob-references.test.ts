import { expect, it } from "vitest"
import { blobReferences } from "./blob-references.ts"

const [a, b] = ["a".repeat(64), "0".repeat(64)]

it("finds the strings that are the id of a blob, each once", () => {
  expect(blobReferences(JSON.stringify({ blob: a, url: `blob:${b}`, list: [a] }))).toEqual([a, b])
})

it.each([
  ["a longer string", `x${a}`],
  ["other digits", "A".repeat(64)],
  ["a shorter string", "a".repeat(63)],
])("leaves alone %s", (_what, text) => {
  expect(blobReferences(JSON.stringify({ text }))).toEqual([])
})
