import { describe, expect, it } from "vitest"
import { type Replacement, replacement } from "./replacement.ts"

function replace(text: string, oldString: string, newString: string, replaceAll = false): Replacement {
  return replacement(text, { oldString, newString, replaceAll })
}

describe("exact", () => {
  it("replaces what occurs once", () => {
    expect(replace("a b c", "b", "x")).toEqual({ type: "replaced", text: "a x c", matcher: "exact", count: 1 })
  })

  it("takes nothing in either text for a pattern", () => {
    expect(replace("f(x) $& .*\nend", "f(x) $& .*\nend", "$1 $& $`")).toMatchObject({ text: "$1 $& $`" })
  })

  it("says on which lines it found more than one", () => {
    expect(replace("a\nb\na\n\na", "a", "x")).toEqual({ type: "ambiguous", lines: [1, 3, 5], hasMore: false })
  })

  it("finds overlapping occurrences ambiguous too", () => {
    expect(replace("aaa", "aa", "x")).toMatchObject({ type: "ambiguous" })
    expect(replace("\n\n\n", "\n\n", "x")).toMatchObject({ type: "ambiguous" })
  })

  it("does not look at every match of a long text to tell that there are many", () => {
    const text = "a".repeat(10_000_000)
    const lines = Array.from({ length: 10 }, () => 1)
    expect(replace(text, "a".repeat(1000), "x")).toEqual({ type: "ambiguous", lines, hasMore: true })
    expect(replace(text, "a".repeat(1000), "x", true)).toMatchObject({ text: "x".repeat(10_000) })
  })

  it("replaces all of them when asked to", () => {
    expect(replace("a\nb\na\n", "a", "aa", true)).toMatchObject({ text: "aa\nb\naa\n", count: 2 })
    expect(replace("aaaaa", "aa", "b", true)).toMatchObject({ text: "bba", count: 2 })
  })

  it("takes a line end for either kind", () => {
    expect(replace("a\r\nb\r\nc", "a\nb", "x")).toMatchObject({ text: "x\r\nc", matcher: "exact" })
    expect(replace("a\nb\nc", "a\r\nb", "x")).toMatchObject({ text: "x\nc", matcher: "exact" })
  })

  it("takes CR LF for one line end, also at the start of what is looked for", () => {
    expect(replace("a\r\nb\r\nc", "\nb", "\nx")).toMatchObject({ type: "replaced", text: "a\nx\r\nc" })
    expect(replace("a\r\n\r\nb", "\n", "x")).toMatchObject({ type: "ambiguous", lines: [1, 2] })
    expect(replace("a\r\n\r\nb", "\n", "x", true)).toMatchObject({ text: "axxb", count: 2 })
  })

  it("finds a text of very many lines, in a text with either or both kinds of line ends", () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join("")
    for (const before of ["first\n", "first\r\n"]) {
      expect(replace(`${before}${lines}last\n`, `${lines}last`, "x")).toMatchObject({ text: `${before}x\n` })
    }
    const windows = lines.replaceAll("\n", "\r\n")
    expect(replace(`first\r\n${windows}last`, `${lines}last`, "x")).toMatchObject({ text: "first\r\nx" })
  })

  it.each(["", "other\r\n"])("gives up where too many lines are alike, and says so: %j", (before) => {
    const text = `${before}${"}\n".repeat(100_000)}`
    expect(() => replace(text, `${"}\n".repeat(5000)};`, "x")).toThrow("too many lines like those of oldString")
  })

  it("is the only way to look for white space alone", () => {
    expect(replace("a\n\n\nb", "\n\n\n", "\n")).toMatchObject({ text: "a\nb" })
    expect(replace("a b", "  ", "")).toEqual({ type: "not-found" })
  })
})

describe("indentation", () => {
  it("ignores how far the block is indented", () => {
    const text = "class A {\n    f() {\n      return 1\n    }\n}\n"
    expect(replace(text, "f() {\n  return 1\n}", "    g() {}")).toEqual({
      type: "replaced",
      text: "class A {\n    g() {}\n}\n",
      matcher: "indentation",
      count: 1,
    })
  })

  it("prefers the block with the same shape to one whose lines are only alike", () => {
    const text = "  if a:\n    b\n\nif a:\nb\n"
    expect(replace(text, "if a:\n  b\n", "x\n")).toMatchObject({ text: "x\n\nif a:\nb\n" })
  })
})

describe("look-alike characters", () => {
  it.each([
    ["accents behind their letter", "Cafe\u0301 au lait", "Caf\u00E9", "Tea au lait"],
    ["accents in their letter", "Caf\u00E9 au lait", "Cafe\u0301", "Tea au lait"],
    ["typographic quotes and dashes", "say \u201Cit\u2019s\u201D \u2014 now", '"it\'s" - ', "say Teanow"],
    ["over lines", "\u2018a\u2019\r\n(b)", "'a'\n(b)", "Tea"],
  ])("are found for one another: %s", (_, text, oldString, expected) => {
    expect(replace(text, oldString, "Tea")).toEqual({
      ...{ type: "replaced", text: expected, matcher: "look-alike characters", count: 1 },
    })
  })

  it("have to be found once", () => {
    expect(replace("\u2018a\u2019 \u201Aa\u2019", "'a'", "b")).toMatchObject({ type: "ambiguous" })
    expect(replace("\u2018a\u2019 \u201Aa\u2019", "'a'", "b", true)).toMatchObject({ text: "b b" })
  })
})

describe("trimmed lines", () => {
  it("ignores white space at both ends of each line", () => {
    const result = replace("one  \n\t two\nthree\n", "one\ntwo\n", "1\n2\n")
    expect(result).toEqual({ type: "replaced", text: "1\n2\nthree\n", matcher: "trimmed lines", count: 1 })
  })

  it("matches whole lines only", () => {
    expect(replace("xone\ntwo x\n", " one\ntwo", "1")).toEqual({ type: "not-found" })
  })

  it("leaves the line end alone unless oldString ends with one", () => {
    expect(replace("a \r\nb\r\nc\r\n", "a\nb", "x")).toMatchObject({ text: "x\r\nc\r\n" })
    expect(replace("a \r\nb\r\nc\r\n", "a\nb\n", "x\r\n")).toMatchObject({ text: "x\r\nc\r\n" })
  })

  it("replaces all when asked to", () => {
    expect(replace("a \n b\n-\n\ta \nb \n", "a\nb", "x", true)).toMatchObject({ text: "x\n-\nx\n", count: 2 })
  })
})

describe("white space", () => {
  it("ignores how much there is between words", () => {
    const result = replace("let  x =\t1; y\n", "let x = 1;", "let x = 2;")
    expect(result).toEqual({ type: "replaced", text: "let x = 2; y\n", matcher: "white space", count: 1 })
  })

  it("keeps line ends apart from other white space", () => {
    expect(replace("foo\nbar baz", "foo bar  baz", "x")).toEqual({ type: "not-found" })
    expect(replace("f(a,  b)\n\n    g()\nh()", "f(a, b)\ng()", "x")).toMatchObject({ text: "x\nh()" })
  })

  it("does not double the indentation", () => {
    expect(replace("{\n\ta  =  1\n}", "  a = 1", "\ta = 2")).toMatchObject({ text: "{\n\ta = 2\n}" })
  })

  it("matches whole words where oldString has white space around them", () => {
    expect(replace("xa  b\na  bx\n", " a b ", " c ")).toEqual({ type: "not-found" })
    expect(replace("xa  b a  b\n", " a b ", "-")).toMatchObject({ text: "xa  b-\n" })
  })

  it("takes no time squared over long runs of white space", () => {
    const text = `${" ".repeat(200_000)}a\n`
    expect(replace(text, "  b  c  ", "x")).toEqual({ type: "not-found" })
    expect(replace(text, "  b\n  ", "x")).toEqual({ type: "not-found" })
  })
})

describe("escapes", () => {
  it("reads what was escaped once too often, in both arguments", () => {
    const result = replace('say("hi")\nend\n', String.raw`say(\"hi\")\nend`, String.raw`say(\"ho\")\nend`)
    expect(result).toEqual({ type: "replaced", text: 'say("ho")\nend\n', matcher: "escapes", count: 1 })
  })

  it("leaves escapes alone that stand in the file", () => {
    expect(replace(String.raw`a\nb`, String.raw`a\nb`, String.raw`c\nd`)).toMatchObject({
      text: String.raw`c\nd`,
      matcher: "exact",
    })
  })
})

describe("block anchors", () => {
  const text = "start {\n  const total = count(items)\n  return total\n}\nrest\n"

  it("accepts a block between the right first and last line that is much alike", () => {
    const result = replace(text, "start {\n  const total = count(item)\n  return totals\n}", "gone")
    expect(result).toEqual({ type: "replaced", text: "gone\nrest\n", matcher: "block anchors", count: 1 })
  })

  it("accepts a line more or less", () => {
    const oldString = "start {\n  const total = count(items)\n  return total\n  log()\n}"
    expect(replace(text, oldString, "gone")).toMatchObject({ text: "gone\nrest\n" })
  })

  it("refuses a block that is not alike enough, or too short to tell", () => {
    expect(replace(text, "start {\n  something else\n  altogether\n}", "gone")).toEqual({ type: "not-found" })
    expect(replace(text, "start {\n}", "gone")).toEqual({ type: "not-found" })
  })

  it("never guesses between two blocks, nor for all of them", () => {
    const oldString = "start {\n  const total = count(item)\n  return total\n}"
    expect(replace(text + text, oldString, "gone")).toMatchObject({ type: "ambiguous", lines: [1, 6] })
    expect(replace(text + text, oldString, "gone", true)).toMatchObject({ type: "ambiguous", lines: [1, 6] })
  })

  it("prefers the most alike of the blocks that start on the same line", () => {
    const blocks = "{\n  one(1)\n  two(2)\n}\n}\n"
    expect(replace(blocks, "{\n  one(0)\n  two(0)\n}", "gone")).toMatchObject({ text: "gone\n}\n" })
    expect(replace(blocks, "{\n  one(0)\n  two(0)\n}\n}", "gone")).toMatchObject({ text: "gone\n" })
  })

  it("gives up where very many candidates would have to be compared", () => {
    const text = Array.from({ length: 1000 }, (_, index) => `  }\n  call number ${index} of many with a long line\n`)
    const oldString = ["}", ...text.slice(0, 50).map((line) => line.trim().replaceAll("call", "tail")), "}"].join("\n")
    expect(replace(text.join(""), oldString, "gone")).toEqual({ type: "not-found" })
  })
})
