import { expect, it } from "vitest"
import { maskedLines } from "./masked-lines.ts"
import { createSecrets } from "./secrets.ts"

const join = (...pieces: readonly string[]) => pieces.join("")
const begin = join("-----BEGIN ", "PRIVATE KEY-----")
const end = join("-----END ", "PRIVATE KEY-----")
const key = "[removed:secret.private-key]"

function lines(text: string): string[] {
  const secrets = createSecrets()
  secrets.add("walrus\nand\nboat", "NAME")
  return maskedLines(text, (each) => secrets.mask(each))
}

it.each<[string, string, string[]]>([
  ["nothing secret", "a\n\nb\n", ["a", "", "b", ""]],
  ["a private key", `a\n${begin}\nMIIE\nabc=\n${end}\nb`, ["a", key, key, key, key, "b"]],
  ["a private key that breaks off", `a\n${begin}\nMIIE`, ["a", key, key]],
  ["a value of several lines", "x walrus\nand\nboat y", ["x [removed:NAME]", "[removed:NAME]", "[removed:NAME] y"]],
  [
    "two keys",
    `${begin}\nMIIE\n${end}\n\n${begin}\nMIIF\n${end}\n`,
    [...Array.from({ length: 3 }, () => key), "", ...Array.from({ length: 3 }, () => key), ""],
  ],
  ["a mark in the text", `${key}\n${begin}\nMIIE\n${end}`, [key, key, key, key]],
  ["a secret of one line", "a\nDB_PASSWORD=hunter22\nb", ["a", "DB_PASSWORD=[removed:secret.assignment]", "b"]],
])("keeps the lines of a text with %s", (_what, text, masked) => {
  expect(lines(text)).toEqual(masked)
})

it("shows nothing of a text that a mask changes in another way", () => {
  expect(maskedLines("a\nb\nc", (text) => `[removed:x]${text.toUpperCase()}more`)).toEqual(
    Array.from({ length: 3 }, () => "[removed:x]"),
  )
})
