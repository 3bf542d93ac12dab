import { expect, it } from "vitest"
import { diffLines } from "./diff-lines.ts"
import { createTheme } from "./theme.ts"

const plain = createTheme(false)

function patchOf(...lines: string[]): string {
  return ["--- a/file.ts", "+++ b/file.ts", "@@ -1,9 +1,9 @@", ...lines, ""].join("\n")
}

it("shows what went and what came with two lines around it, and no headers", () => {
  const patch = patchOf(" one", " two", " three", "-four", "+FOUR", " five", " six", " seven")

  expect(diffLines(patch, 80, plain)).toEqual(["    two", "    three", "  - four", "  + FOUR", "    five", "    six"])
})

it("marks the gap between distant changes", () => {
  const patch = patchOf("-a", "+A", " 1", " 2", " 3", " 4", " 5", "-b")

  expect(diffLines(patch, 80, plain)).toEqual([
    ...["  - a", "  + A", "    1", "    2", "    ⋮", "    4", "    5", "  - b"],
  ])
})

it("marks the gap between hunks, and takes lines that look like headers for what they are", () => {
  const patch = `${patchOf("--- not a header", "+++ neither")}@@ -50 +50 @@\n-b\n+B\n\\ No newline at end of file\n`

  expect(diffLines(patch, 80, plain)).toEqual(["  - -- not a header", "  + ++ neither", "    ⋮", "  - b", "  + B"])
})

it("shortens a long diff and says by how much", () => {
  const patch = patchOf(...Array.from({ length: 100 }, (_, index) => `+line ${index}`))

  const lines = diffLines(patch, 80, plain)

  expect(lines).toHaveLength(24)
  expect(lines.at(-1)).toBe("    … 77 more lines")
})

it("keeps to the columns, and obeys nothing that stands in a file", () => {
  const patch = patchOf("+\tconst colour = '\u001B[31m' // a long line that goes on", "+日本語日本語日本語日本語")

  expect(diffLines(patch, 24, plain)).toEqual(["  +   const colour = ''…", "  + 日本語日本語日本語…"])
})

it("is coloured by what went and what came", () => {
  const lines = diffLines(patchOf("-a", "+b", " c"), 80, createTheme(true))

  expect(lines).toEqual(["\u001B[31m  - a\u001B[39m", "\u001B[32m  + b\u001B[39m", "\u001B[2m    c\u001B[22m"])
})

it("has nothing to show of nothing", () => {
  expect(diffLines("", 80, plain)).toEqual([])
})
