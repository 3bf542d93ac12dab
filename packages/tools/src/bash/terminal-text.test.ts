import { expect, it } from "vitest"
import { createTerminalText } from "./terminal-text.ts"

function plain(text: string, chunk = 1 << 20): string {
  const bytes = Buffer.from(text)
  const terminal = createTerminalText()
  let result = ""
  for (let start = 0; start < bytes.length; start += chunk)
    result += terminal.feed(bytes.subarray(start, start + chunk))
  return result + terminal.end()
}

it.each([
  ["colours", "\u001b[1;31mred\u001b[0m plain\n", "red plain\n"],
  ["titles and links", "\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\n", "ab\n"],
  ["other sequences", "\u001b(Ba\u001b=b\u001bPq\u001b\\c\n", "abc\n"],
  ["progress written over itself", " 10%\r 50%\r100%\ndone\n", "100%\ndone\n"],
  ["progress at the end", "a\n 10%\r 50%\r", "a\n 50%"],
  ["CR LF", "a\r\nb\r\r\nc\n", "a\nb\nc\n"],
  ["overstruck letters", "b\bbo\bol\bld\n", "bold\n"],
  ["other control characters", "a\u0000b\u0007c\u007f\td\n", "abc\td\n"],
  ["nothing", "", ""],
  ["text without a line end", "größe 😀", "größe 😀"],
])("leaves of %s what can be read, however it is cut", (_, text, expected) => {
  for (const chunk of [1, 2, 3, 7, 1000]) expect(plain(text, chunk)).toBe(expected)
})

it("shows a broken character as one replacement", () => {
  const terminal = createTerminalText()
  expect(terminal.feed(Buffer.from([0x61, 0xe2, 0x82])) + terminal.end()).toBe("a\uFFFD")
})

it("hands out whole lines and shows the one in progress", () => {
  const terminal = createTerminalText()
  expect(terminal.feed(Buffer.from("one\n 10%\r\u001b[1m 20%"))).toBe("one\n")
  expect(terminal.pending).toBe(" 20%")
})

it("does not hold a line without end in memory", () => {
  const terminal = createTerminalText()
  let length = 0
  for (let round = 0; round < 200; round++) length += terminal.feed(Buffer.from("x".repeat(1024))).length
  expect(terminal.pending.length).toBeLessThanOrEqual(64 * 1024)
  expect(length + terminal.end().length).toBe(200 * 1024)
})
