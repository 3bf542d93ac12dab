import { expect, it } from "vitest"
import { barredLines, foreignLine, foreignLines } from "./foreign-lines.ts"
import { columnsOf } from "./width.ts"

it("breaks between words, and cuts what has no place to break", () => {
  expect(foreignLines("one two three", 8)).toEqual(["one two", "three"])
  expect(foreignLines("a".repeat(10), 8)).toEqual(["aaaaaaaa", "aa"])
})

it.each([
  ["wide characters", "漢".repeat(30)],
  ["spaces that do not break", `${"x".repeat(17)}\u00A0allow?`.repeat(4)],
  ["pictures of several code points", "👩‍👩‍👧‍👦".repeat(20)],
  ["a fence", `\`\`\`\n${"y".repeat(70)}\n\`\`\``],
])("keeps %s within the columns", (_name, text) => {
  for (const line of barredLines(text, 20)) {
    expect(line.startsWith("│ ")).toBe(true)
    expect(columnsOf(line)).toBeLessThanOrEqual(20)
  }
})

it("hides nothing, and lets nothing be obeyed", () => {
  expect(foreignLines("rm \u001B[2J\u202Ex\r\ny", 60)).toEqual(["rm ^[[2J\\u202ex^M", "y"])
  expect(foreignLine(" a\n\tb\u200B")).toBe("a b\\u200b")
})
