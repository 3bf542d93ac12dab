import * as fc from "fast-check"
import { expect, it } from "vitest"
import { cut, fittedLines } from "./fitted-lines.ts"

const tokensOf = (text: string) => Math.ceil(text.length / 4)
const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + tokensOf(line) + 2, 0)

it("keeps lines that fit as they are", () => {
  expect(fittedLines(["one", "two"], { budget: 100, tokensOf })).toEqual(["one", "two"])
})

it("cuts the longest lines first, and says how to find the rest", () => {
  const [short, long] = fittedLines(["Never touch main.", "x".repeat(4000)], { budget: 60, tokensOf })
  expect(short).toBe("Never touch main.")
  expect(long).toMatch(/^x+… \(cut: the whole can be found with recall\)$/)
})

it("counts lines in the middle that not even a beginning of fits", () => {
  const lines = Array.from({ length: 500 }, (_, n) => `Note ${n}: ${"word ".repeat(40)}`)
  const shown = fittedLines(lines, { budget: 120, tokensOf })
  expect(shown[0]).toContain("Note 0: ")
  expect(shown.at(-1)).toContain("Note 499: ")
  expect(shown).toContain(`(${500 - (shown.length - 1)} more not shown: search for them with the tool recall)`)
})

it("takes no more than its budget, and is well-formed", () => {
  const piece = fc.constantFrom("x", "😀", "世", "a word ", "\ud83d")
  const text = fc.tuple(piece, fc.nat(300)).map(([each, count]) => each.repeat(count))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), fc.nat(800), (lines, budget) => {
      const shown = fittedLines(lines, { budget, tokensOf })
      expect(sizeOf(shown)).toBeLessThanOrEqual(budget)
      for (const line of shown) if (!lines.includes(line)) expect(line.isWellFormed()).toBe(true)
    }),
  )
})

it("cuts a text to its tokens whatever its characters take", () => {
  const bytes = (each: string) => Buffer.byteLength(each)
  const text = `${"a".repeat(200)}${"世".repeat(200)}`
  for (const tokens of [0, 3, 50, 120, 300]) {
    expect(bytes(cut(text, tokens, bytes))).toBeLessThanOrEqual(Math.max(tokens, bytes("…")))
  }
})
