import { describe, expect, it } from "vitest"
import { editedBytes } from "./edited-bytes.ts"

function edit(before: Buffer, oldString: string, newString: string) {
  return editedBytes(before, { oldString, newString, replaceAll: false }, "/w/a.txt")
}

const latin1 = (text: string) => Buffer.from(text, "latin1")

describe("what is not edited stays byte for byte", () => {
  it.each([
    [
      "CR LF, also of new lines",
      Buffer.from("a\r\nb\r\nc\r\n"),
      "a\nb",
      "x\ny\nz",
      Buffer.from("x\r\ny\r\nz\r\nc\r\n"),
    ],
    ["mixed line ends", Buffer.from("a\r\nb\nc\n"), "b", "x\ny", Buffer.from("a\r\nx\ny\nc\n")],
    ["a byte order mark", Buffer.from("\uFEFFa\n"), "a", "b", Buffer.from("\uFEFFb\n")],
    ["UTF-16", Buffer.from("\uFEFFä\r\nö\r\n", "utf16le"), "ä\nö", "ü\nß", Buffer.from("\uFEFFü\r\nß\r\n", "utf16le")],
    ["bytes that are no text", latin1("\xe9\xff\x80 a \xfe"), "a", "b", latin1("\xe9\xff\x80 b \xfe")],
    ["Latin-1", latin1("caf\xe9 noir\n"), "café", "thé", latin1("th\xe9 noir\n")],
    [
      "UTF-8 beside broken bytes",
      Buffer.concat([Buffer.from("é\n"), latin1("\xff")]),
      "é",
      "ü",
      Buffer.concat([Buffer.from("ü\n"), latin1("\xff")]),
    ],
    [
      "Latin-1 that gets what it cannot say",
      latin1("\xe9 a\n"),
      "a",
      "日",
      Buffer.concat([latin1("\xe9 "), Buffer.from("日\n")]),
    ],
    ["a missing newline at the end", Buffer.from("a\nb"), "b", "c", Buffer.from("a\nc")],
  ])("%s", (_, before, oldString, newString, after) => {
    expect(edit(before, oldString, newString)).toEqual({ bytes: after, notes: [] })
  })
})

it("says when a match was not exact", () => {
  expect(edit(Buffer.from("  a \n  b\n"), "a\nb", "c").notes).toEqual([
    "oldString did not match exactly (found by trimmed lines): check the changed lines.",
  ])
})

it("names the closest line when nothing is found", () => {
  const before = Buffer.from("import a\nconst answer = 42\nexport {}\n")
  expect(() => edit(before, "const answers = 43\nmore", "x")).toThrow(
    "oldString was not found in /w/a.txt.\nThe closest line is 2: const answer = 42\nRead the file again",
  )
  expect(() => edit(before, "§§§§", "x")).toThrow("No line comes close to it.")
})

it("explains the replacement character", () => {
  expect(() => edit(latin1("caf\xe9\n"), "caf\uFFFD", "x")).toThrow(
    "choose an oldString without the replacement character",
  )
})

it("lists the lines of the first matches", () => {
  expect(() => edit(Buffer.from("a\n".repeat(2)), "a", "b")).toThrow(
    "oldString matches 2 times in /w/a.txt, at lines 1, 2. ",
  )
  expect(() => edit(Buffer.from("a\n".repeat(10)), "a", "b")).toThrow(
    "oldString matches 10 times in /w/a.txt, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10. ",
  )
  expect(() => edit(Buffer.from("a\n".repeat(12)), "a", "b")).toThrow(
    "oldString matches more than 10 times in /w/a.txt, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, .... " +
      "Add surrounding lines to make it unique, or set replaceAll to change every occurrence.",
  )
})
