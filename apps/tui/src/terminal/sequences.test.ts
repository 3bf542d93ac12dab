import { describe, expect, it } from "vitest"
import { clipboardSequence, hasLinks } from "./sequences.ts"

describe("a sequence for the clipboard", () => {
  it("is undefined for a text that terminals drop", () => {
    expect(clipboardSequence("x".repeat(74_000))).toContain("]52;c;eHh4")
    expect(clipboardSequence("語".repeat(25_000))).toBeUndefined()
  })
})

describe("links", () => {
  it.each([
    [{ TERM: "xterm-kitty" }, true],
    [{ VTE_VERSION: "7600" }, true],
    [{ TERM: "xterm-256color" }, false],
    [{ TERM: "xterm-256color", FORCE_HYPERLINK: "1" }, true],
    [{ TERM_PROGRAM: "WezTerm", FORCE_HYPERLINK: "0" }, false],
  ])("in %j are %s", (environment, known) => {
    expect(hasLinks(environment)).toBe(known)
  })
})
