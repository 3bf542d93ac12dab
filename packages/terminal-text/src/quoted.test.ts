import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { quoted } from "./quoted.ts"

it.each([
  ["plain-word", "plain-word"],
  ["two words", "'two words'"],
  ["it's", String.raw`'it'\''s'`],
  ["a\u001B[2Jb'\\", String.raw`$'a\x1b[2Jb\'\\'`],
  ["x\u202Ey", String.raw`$'x\U0000202ey'`],
])("writes %j as %s", (text, word) => {
  expect(quoted(text)).toBe(word)
})

it("is what a shell takes for the text", () => {
  const text = "a\u001B[31m 'b'\\\n1"
  expect(execFileSync("bash", ["-c", `printf %s ${quoted(text)}`], { encoding: "utf8" })).toBe(text)
})
