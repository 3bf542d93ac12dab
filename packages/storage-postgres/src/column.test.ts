import { expect, it } from "vitest"
import { fromColumn, toColumn } from "./column.ts"

const texts = ["", "plain", "a\ud800", "a\udfff", "a\ufffd", "a\0", '"a"', '"a\\ud800"', "\u{10ffff}", "'; --"]

it("returns every string as it was, and never one for another", () => {
  expect(texts.map((text) => fromColumn(toColumn(text)))).toEqual(texts)
  expect(new Set(texts.map(toColumn)).size).toBe(texts.length)
})

it("stores nothing that PostgreSQL refuses", () => {
  for (const column of texts.map(toColumn)) {
    expect(column.isWellFormed()).toBe(true)
    expect(column).not.toContain("\0")
  }
})
