import { describe, expect, it } from "vitest"
import { createFlow, wrap } from "./flow.ts"
import { columnsOf } from "./width.ts"

describe("running text", () => {
  it.each([
    ["breaks between words", "one two three four", ["one two", "three four"]],
    ["may fill a line to its last column", "1234567890 1234567890", ["1234567890", "1234567890"]],
    ["keeps line ends and empty lines", "a\n\nb\n", ["a", "", "b", ""]],
    ["keeps spaces between words that stay together", "a  b   c", ["a  b   c"]],
    ["has no spaces at the end of its lines", "one two   three   ", ["one two", "three"]],
    ["goes on below an indented text", "  one two three", ["  one two", "  three"]],
    ["goes on below the text of an item", "- one two three", ["- one two", "  three"]],
    ["goes on below the text of a numbered item", "10. one two", ["10. one", "    two"]],
    ["leaves a word alone that fits nowhere", "a https://example.com b", ["a", "https://example.com", "b"]],
    [
      "leaves code between fences alone",
      "```js\none two three four\n```\nfive six seven",
      [...["```js", "one two three four", "```", "five six", "seven"]],
    ],
    ["breaks Japanese between characters", "日本語日本語日", ["日本語日本", "語日"]],
    ["does not begin a line with punctuation", "日本語日本。日", ["日本語日", "本。日"]],
    ["does not end a line with an opening bracket", "日本語日「日」", ["日本語日", "「日」"]],
    ["breaks between scripts", "abcdef日本語", ["abcdef日本", "語"]],
    ["counts what is wide twice", "日本 日本 日本", ["日本 日本", "日本"]],
    ["keeps Korean words whole", "한국어 한국어 한국어", ["한국어", "한국어", "한국어"]],
  ])("%s", (_name, text, lines) => {
    expect(wrap(text, 10)).toEqual(lines)
  })
})

describe("text that comes in pieces", () => {
  const text =
    "The **quick** brown fox — jumps over\n\n- the lazy dog, 日本語の文章は、空白がない。それで？ and on\n" +
    "10. https://example.com/a/path/that/is/much/longer/than/a/line/of/this/terminal?yes=1日本語 behind it\n" +
    "```\ncode that is not broken at all, however long it is\n```\nThe end 👩‍👩‍👧‍👦 of it."

  it.each([1, 2, 3, 7, 1000])("is broken the same way, %i characters at a time", (size) => {
    const flow = createFlow(() => 24)
    let shown = ""
    for (let at = 0; at < text.length; at += size) shown += flow.push(text.slice(at, at + size))

    expect((shown + flow.end()).split("\n")).toEqual(wrap(text, 24))
  })

  it("is held back by no more than a word", () => {
    const flow = createFlow(() => 24)

    expect(flow.push("one tw")).toBe("one")
    expect(flow.push("o three")).toBe(" two")
    expect(flow.push("\n")).toBe(" three\n")
    expect(flow.push("日本")).toBe("日")
  })

  it("is shown at once where a word is longer than a line", () => {
    const flow = createFlow(() => 24)

    expect(flow.push("a ")).toBe("a")
    expect(flow.push("x".repeat(30))).toBe(`\n${"x".repeat(30)}`)
    expect(flow.push("yz")).toBe("yz")
    expect(flow.push(" b ")).toBe("\nb")
  })

  it("follows the terminal's width while it changes", () => {
    let columns = 20
    const flow = createFlow(() => columns)

    const wide = flow.push("one two three four ")
    columns = 10
    expect(wide + flow.push("five six seven ")).toBe("one two three four\nfive six\nseven")
  })

  it("starts over at its end", () => {
    const flow = createFlow(() => 10)
    flow.push("```\ncode never ended")

    expect(flow.end()).toBe(" ended")
    expect(flow.push("one two three ")).toBe("one two\nthree")
  })

  it("costs no more at the end of a long text than at its beginning", () => {
    const flow = createFlow(() => 80)
    let longest = 0
    for (let count = 0; count < 20_000; count++) longest = Math.max(longest, flow.push("wordwithoutend").length)

    // What is given is what came: nothing piles up.
    expect(longest).toBeLessThan(100)
  })
})

it("keeps every line within the columns that it has a place to break for", () => {
  const text = "Pack my box with five dozen liquor jugs ✅ 日本語も、ここに。 - and a list\n- of liquor jugs and boxes"

  for (let columns = 10; columns < 60; columns++) {
    for (const line of wrap(text, columns)) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
  }
})
