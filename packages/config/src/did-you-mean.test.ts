import { expect, it } from "vitest"
import { suggestion } from "./did-you-mean.ts"

const known = ["--model", "--format", "--file", "--title", "--session"]

it.each([
  ["--modle", "--model"],
  ["--fromat", "--format"],
  ["--Title", "--title"],
  ["--ses", "--session"],
  ["--fil", "--file"],
  ["--models", "--model"],
])("takes %s for %s", (written, meant) => {
  expect(suggestion(written, known)).toBe(meant)
})

it.each(["--zebra", "", "x"])("has no idea what %j was to be", (written) => {
  expect(suggestion(written, known)).toBeUndefined()
})
