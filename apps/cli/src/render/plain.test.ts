import { expect, it } from "vitest"
import { plainLine, plainText } from "./plain.ts"

it.each([
  ["\u001B[31mred\u001B[0m", "red"],
  ["\u001B[2J\u001B[1;1Hover the screen", "over the screen"],
  ["\u001B]0;title\u0007text", "text"],
  ["\u001B]8;;https://example.com\u001B\\link\u001B]8;;\u001B\\", "link"],
  ["\u001BP1;2|device\u001B\\text", "text"],
  ["\u001B]0;never ended\nnext line", "\nnext line"],
  ["\u001B(Bset and \u001B7 saved", "set and  saved"],
  ["\u009D0;title\u009Ctext", "text"],
  ["\u001B", ""],
  ["half a sequence \u001B[3", "half a sequence "],
  ["\u009B31mC1", "C1"],
  ["back\bspace and bell\u0007", "backspace and bell"],
  ["over\rwritten", "overwritten"],
  ["windows\r\nlines\r\n", "windows\nlines\n"],
  ["abc\u202Edef\u2066ghi", "abcdefghi"],
  ["tab\tand\nline", "tab\tand\nline"],
  ["nul\u0000 and del\u007F", "nul and del"],
  ["שלום\u200F 日本語 👩‍👩‍👧‍👦 é", "שלום\u200F 日本語 👩‍👩‍👧‍👦 é"],
])("leaves nothing of %j that a terminal obeys: %j", (text, plain) => {
  expect(plainText(text)).toBe(plain)
})

it("leaves nothing that a terminal obeys in any character", () => {
  const all = Array.from({ length: 0x100 }, (_, code) => String.fromCodePoint(code))

  const left = all.filter((character) => plainText(`a${character}b`).length === 3)

  // oxlint-disable-next-line no-control-regex -- They are what must not be left.
  expect(left.filter((character) => /[\u0000-\u001F\u007F-\u009F]/.test(character))).toEqual(["\t", "\n"])
})

it.each(["\u001B]", "\u001B[1;", "\u001B", "\u001BP\u001B", "\u009B1", "\u001B]0;x\n", "\r\n\u001B("])(
  "takes time by the length of what is made of %j, and not by its square",
  (evil) => {
    // By its square it would be minutes.
    expect(plainText(evil.repeat(400_000))).not.toContain("\u001B")
  },
)

it("makes one line of many", () => {
  expect(plainLine("  a\n\tb\r\n\u001B[1mc ")).toBe("a b c")
})
