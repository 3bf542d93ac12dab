import { expect, it } from "vitest"
import { plainLine, plainText, visibleText } from "./index.ts"

it.each([
  ["\u001B[31mred\u001B[0m", "red"],
  ["\u001B[2J\u001B[1;1Hover the screen", "over the screen"],
  ["\u001B]0;title\u0007text", "text"],
  ["\u001B]8;;https://example.com\u001B\\link\u001B]8;;\u001B\\", "link"],
  ["\u001BP1;2|device\u001B\\text", "text"],
  ["\u001B]0;never ended\nnext line", "0;never ended\nnext line"],
  ["failed: \u001BPnot an end in sight", "failed: not an end in sight"],
  ["\u009D0;no \u001B[1mend", "0;no end"],
  ["\u001B(Bset and \u001B7 saved", "set and  saved"],
  ["\u009D0;title\u009Ctext", "text"],
  ["\u001B", ""],
  ["half a sequence \u001B[3", "half a sequence 3"],
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

it.each([
  ["true \u001B]; echo PWNED #", "true ^[]; echo PWNED #"],
  ["a\u202Eb\u2066c\u200Bd\u2028e", "a\\u202eb\\u2066c\\u200bd\\u2028e"],
  ["over\rwritten\u007F\u009B1m", "over^Mwritten^?\\u009b1m"],
  ["tag \u{E0041}", "tag \\u{e0041}"],
  ["tab\tand\nline, 日本語 é", "tab\tand\nline, 日本語 é"],
])("hides nothing of %j where it is to be seen: %j", (text, visible) => {
  expect(visibleText(text)).toBe(visible)
})

it.each([
  "\u001B]",
  "\u009D",
  "\u009D0;\u0090",
  "\u001B[1;",
  "\u001B",
  "\u001BP\u001B",
  "\u009B1",
  "\u001B]0;x\n",
  "\r\n\u001B(",
])("takes time by the length of what is made of %j, and not by its square", (evil) => {
  // By its square it would be minutes.
  expect(plainText(evil.repeat(400_000))).not.toContain("\u001B")
})

it("makes one line of many", () => {
  expect(plainLine("  a\n\tb\r\n\u001B[1mc ")).toBe("a b c")
})
