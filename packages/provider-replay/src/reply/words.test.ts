import { expect, it } from "vitest"
import { words } from "./words.ts"

it.each([
  "",
  " ",
  "word",
  "To be,\nor not  to be. ",
  `${"x".repeat(100)} y`,
  "日本語のテキスト".repeat(9),
  "👍👍 👍\n\n",
])("splits %j so that joined it is the text again", (text) => {
  expect(words(text).join("")).toBe(text)
})

it("makes deltas of about a word", () => {
  expect(words("To be,\n  or not.\n")).toEqual(["To", " be,", "\n  or", " not.", "\n"])
  expect(Math.max(...words("x".repeat(100)).map(({ length }) => length))).toBe(24)
})

it("does not cut a character in two", () => {
  expect(words("👍".repeat(30)).every((word) => word.isWellFormed())).toBe(true)
})
