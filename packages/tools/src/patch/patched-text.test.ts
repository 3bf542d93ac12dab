import { describe, expect, it } from "vitest"
import { parsePatch } from "./parse-patch.ts"
import { patchedText } from "./patched-text.ts"

function patched(text: string, ...lines: string[]) {
  const [change] = parsePatch(["*** Begin Patch", "*** Update File: a", ...lines, "*** End Patch"].join("\n"))
  if (change?.type !== "update") throw new Error("The patch changes a file.")
  return patchedText(text, change.hunks, "/w/a")
}

const letters = "a\nb\nc\nd\ne\n"

describe("patchedText", () => {
  it("changes, adds and removes lines, hunk by hunk", () => {
    const { text, notes } = patched(letters, "@@", " a", "-b", "+B", "+B2", " c", "@@", "-e")
    expect(text).toBe("a\nB\nB2\nc\nd\n")
    expect(notes).toEqual([])
  })

  it("finds the place below the lines that a hunk names", () => {
    const code = "class A {\n  m() {\n    x\n  }\n}\nclass B {\n  m() {\n    x\n  }\n}\n"
    const { text, notes } = patched(code, "@@ class B {", "@@   m() {", "-    x", "+    y")
    expect(text).toBe("class A {\n  m() {\n    x\n  }\n}\nclass B {\n  m() {\n    y\n  }\n}\n")
    expect(notes).toEqual([])
  })

  it("takes the first of several places, and says so", () => {
    const { text, notes } = patched("x\ny\nx\n", "@@", "-x", "+z")
    expect(text).toBe("z\ny\nx\n")
    expect(notes).toEqual([
      "Hunk 1 of /w/a (line 3 of the patch) matches at lines 1 and 3; the first place was changed. Check that it is the right one.",
    ])
  })

  it("holds a hunk to the end of the file", () => {
    expect(patched("x\ny\nx\n", "@@", "-x", "+z", "*** End of File").text).toBe("x\ny\nz\n")
    expect(() => patched("x\ny\n", "@@", "-x", "+z", "*** End of File")).toThrow("Hunk 1 of /w/a")
  })

  it("puts lines without any around them at the end, or below the line that is named", () => {
    expect(patched(letters, "+f").text).toBe(`${letters}f\n`)
    expect(patched(letters, "@@ b", "+b2").text).toBe("a\nb\nb2\nc\nd\ne\n")
    expect(patched("", "+f").text).toBe("f\n")
  })

  it.each([
    ["white space at the ends of lines", "a  \nb\t\n", ["-a", " b", "+c"], "b\t\nc\n"],
    ["white space around lines", "\ta\n\tb\n", [" a", "-b", "+\tc"], "\ta\n\tc\n"],
    ["typographic characters", "a \u2013 \u201Cb\u201D\nc\n", [' a - "b"', "-c", "+d"], "a \u2013 \u201Cb\u201D\nd\n"],
  ])("tolerates %s, keeps the file's own lines, and says so", (tolerance, before, lines, after) => {
    const { text, notes } = patched(before, "@@", ...lines)
    expect(text).toBe(after)
    expect(notes).toEqual([expect.stringContaining(`did not match exactly (but for ${tolerance})`)])
  })

  it("does not guess between several places that match only with tolerance", () => {
    expect(() => patched("\tx\ny\n  x\n", "@@", "-x", "+z")).toThrow(
      "but for white space around lines it matches at lines 1 and 3",
    )
  })

  it("passes over an empty line that a hunk has below the last line", () => {
    expect(patched("a\nb\n", "@@", " a", "-b", "+c", " ").text).toBe("a\nc\n")
  })

  it.each([
    ["the file's line ends", "a\r\nb\r\n", ["-a", "+x", "+y"], "x\r\ny\r\nb\r\n"],
    ["no line end at the end", "a\nb", ["-b", "+c", "+d"], "a\nc\nd"],
    ["no line end at the end, below an added line", "a\nb", [" a", "+x"], "a\nx\nb"],
    ["what is added below a line without an end", "a", ["+b"], "a\nb"],
    ["replacement signs as they are", "a\n", ["-a", "+$&$1"], "$&$1\n"],
    ["a file that loses all lines", "a\n", ["-a"], ""],
  ])("keeps %s", (_, before, lines, after) => {
    expect(patched(before, "@@", ...lines).text).toBe(after)
  })

  it("names the hunk, its line, and what is missing in the file", () => {
    expect(() => patched(letters, "@@", "-a", "+A", "@@", " c", "-dd", "+D")).toThrow(
      "Hunk 2 of /w/a (line 6 of the patch): its kept and removed lines were not found after line 1.\n" +
        "This line is not in the file: dd\nThe closest line is 4: d\nNothing was changed.",
    )
    expect(() => patched(letters, "@@ zzz", "-a")).toThrow('the line after "@@" was not found.\nThis line is not in')
  })

  it("says that hunks are out of order", () => {
    expect(() => patched(letters, "@@", "-d", "@@", "-b", "+B")).toThrow(
      "They stand at line 2: give the hunks in the order",
    )
  })

  it("patches a long file with many hunks in a moment", () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`)
    const hunks = lines.filter((_, index) => index % 500 === 0).flatMap((line) => ["@@", `-${line}`, `+${line}!`])
    const { text } = patched(`${lines.join("\n")}\n`, ...hunks)
    expect(text.match(/!/g)).toHaveLength(200)
  })
})
