import { describe, expect, it } from "vitest"
import { jsonBytes } from "./measure.ts"
import { shownInput, shownText } from "./shown-words.ts"

describe("a shortened text", () => {
  it("keeps its beginning and says how much is missing", () => {
    expect(shownText("x".repeat(1000), 160)).toBe(`${"x".repeat(100)}… [900 more bytes, left out to save room]`)
  })

  it("keeps a piece, however small the limit is", () => {
    expect(shownText("x".repeat(1000), 0)).toMatch(/^x{60}… \[940 more bytes/)
  })

  it("is not longer than the whole", () => {
    for (let length = 0; length < 200; length++) {
      expect(shownText("x".repeat(length), 0).length).toBeLessThanOrEqual(length)
    }
  })

  it("is cut between characters", () => {
    expect(shownText("😀".repeat(100), 130).isWellFormed()).toBe(true)
  })
})

describe("a shortened input", () => {
  it("leaves short arguments whole, and cuts long ones to the same size", () => {
    const shown = shownInput({ filePath: "a.ts", old: "o".repeat(3000), new: "n".repeat(9000) }, 1000)
    expect(shown["filePath"]).toBe("a.ts")
    expect(jsonBytes(shown["old"])).toBe(jsonBytes(shown["new"]))
    expect(jsonBytes(shown)).toBeLessThanOrEqual(1000)
  })

  it.each([
    ["a list", { edits: Array.from({ length: 500 }, (_, n) => ({ old: `old ${n}`, new: `new ${n}` })) }],
    ["many arguments", Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`argument ${n}`, n]))],
    ["characters that JSON escapes", { content: '\u0001\n"'.repeat(3000) }],
    ["a long name", { ["k".repeat(9000)]: 1 }],
  ])("is an object of about the given size: %s", (_name, input) => {
    const shown = shownInput(input, 1000)
    expect(jsonBytes(shown)).toBeLessThanOrEqual(1100)
    expect(JSON.stringify(shown)).toContain("more bytes, left out to save room")
  })

  it("is the same value as the whole if that fits", () => {
    const input = { content: "short" }
    expect(shownInput(input, 100)).toBe(input)
    expect(shownInput(input, undefined)).toBe(input)
  })
})
