import { expect, it } from "vitest"
import { grepOutput } from "./grep-output.ts"

const match = (path: string, line: number, text: string, column = 0) => ({ path, line, text, column })

it("groups matches by file", () => {
  expect(grepOutput([match("a.ts", 1, "one"), match("a.ts", 7, "  two"), match("b/c.ts", 3, "three")], "/w")).toEqual({
    text: "/w/a.ts:\n  Line 1: one\n  Line 7:   two\n\n/w/b/c.ts:\n  Line 3: three",
    count: 3,
  })
})

it("cuts a long line around its match", () => {
  const line = `${"a".repeat(10_000)}HIT${"b".repeat(10_000)}`
  const { text } = grepOutput([match("a.js", 1, line, 10_000)], "/w")
  expect(text).toContain(`Line 1: ...${"a".repeat(500)}HITb`)
  expect(text.endsWith("b...")).toBe(true)
  expect(text.length).toBeLessThan(2100)
  expect(grepOutput([match("a.js", 1, line, 100)], "/w").text).toContain(`Line 1: ${"a".repeat(2000)}...`)
})

it("stops at 50 KiB", () => {
  const matches = Array.from({ length: 100 }, (_, index) => match("a.js", index, "x".repeat(1000)))
  const { text, count } = grepOutput(matches, "/w")
  expect(text.length).toBeLessThanOrEqual(50 * 1024)
  expect(count).toBeGreaterThan(45)
  expect(count).toBeLessThan(52)
})
