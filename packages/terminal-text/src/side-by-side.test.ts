import { describe, expect, it } from "vitest"
import { numberedLines, sideBySideLines } from "./side-by-side.ts"
import { createTheme, type Theme } from "./theme.ts"
import { columnsOf } from "./width.ts"
import { wordChanges } from "./word-changes.ts"

const plain = createTheme(false)
const named =
  (name: string) =>
  (text: string): string =>
    text === "" ? "" : `<${name} ${text}>`
const marking: Theme = { ...plain, added: named("+"), removed: named("-"), strong: named("!") }

const PATCH = `--- a
+++ b
@@ -9,4 +9,5 @@
 const a = 1
-const total = a + b
+const total = a + c
+const more = 2
 return a
@@ -40,2 +41,1 @@
-x
 y
`

describe("both sides", () => {
  it("stand beside each other with their numbers", () => {
    expect(sideBySideLines(numberedLines(PATCH), { columns: 60, theme: plain })).toEqual([
      " 9   const a = 1             │  9   const a = 1",
      "10 - const total = a + b     │ 10 + const total = a + c",
      "                             │ 11 + const more = 2",
      "11   return a                │ 12   return a",
      "   ⋮",
      "40 - x                       │",
      "41   y                       │ 41   y",
    ])
  })

  it("show more lines than a function takes arguments", () => {
    const lines = Array.from(
      { length: 200_000 },
      (_, at) => ({ kind: "context", text: "x", old: at + 1, next: at + 1 }) as const,
    )
    expect(sideBySideLines(lines, { columns: 60, theme: plain })).toHaveLength(200_000)
  })

  it("mark the changed words of lines that are alike, and color lines of one side as a whole", () => {
    const lines = sideBySideLines(numberedLines(PATCH), { columns: 60, theme: marking })

    expect(lines[1]).toContain("<- -> const total = a + <! <- b>>")
    expect(lines[1]).toContain("<+ +> const total = a + <! <+ c>>")
    expect(lines[2]).toContain("<+ +> <+ const more = 2>")
  })

  it.each([40, 61, 80, 140])("wrap long and wide lines within their side at %i columns", (columns) => {
    const long = "日本語👨‍👩‍👧 and e\u0301 ".repeat(12).trim()
    const patch = `@@ -1,1 +1,1 @@\n-${long}\n+${long} more\n`

    const lines = sideBySideLines(numberedLines(patch), { columns, theme: plain })

    const border = new Set(lines.map((line) => columnsOf(line.slice(0, line.indexOf("│")))))
    expect(border.size).toBe(1)
    expect(lines.filter((line) => columnsOf(line) > columns)).toEqual([])
    const sides = lines.map((line) => line.split(" │"))
    const joined = (side: number) =>
      sides.map((cells) => cells[side]?.replace(/^\s?(?:1 [-+] | {4})/, "") ?? "").join("")
    expect(joined(0).replaceAll(/\s/g, "")).toBe(long.replaceAll(/\s/g, ""))
    expect(joined(1).replaceAll(/\s/g, "")).toBe(`${long}more`.replaceAll(/\s/g, ""))
  })

  it("have no room for numbers that are not known", () => {
    const lines = [
      { kind: "removed", text: "a" },
      { kind: "added", text: "b" },
    ] as const

    expect(sideBySideLines(lines, { columns: 31, theme: plain })).toEqual(["- a            │ + b"])
  })
})

describe("changed words", () => {
  it.each([
    ["a b c", "a x c", ["a ", "[b]", " c"], ["a ", "[x]", " c"]],
    ["a b", "a b c", ["a b"], ["a b", "[ c]"]],
    ["wholly different", "nothing shared here", ["[wholly different]"], ["[nothing shared here]"]],
    ["f(x, y)", "f(x, z)", ["f(x, ", "[y]", ")"], ["f(x, ", "[z]", ")"]],
    ["", "new", [], ["[new]"]],
  ])("of %j and %j", (before, after, old, next) => {
    const sides = wordChanges(before, after).map((pieces) => {
      return pieces.filter(({ text }) => text !== "").map(({ text, isChanged }) => (isChanged ? `[${text}]` : text))
    })

    expect(sides).toEqual([old, next])
  })
})
