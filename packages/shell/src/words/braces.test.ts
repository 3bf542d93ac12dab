import { execFileSync } from "node:child_process"
import { parse, type Word } from "unbash"
import { expect, it } from "vitest"
import { alternatives } from "./braces.ts"

function wordOf(text: string): Word {
  const [statement] = parse(`: ${text}`).commands
  const [word] = statement?.command.type === "Command" ? statement.command.args : []
  if (word?.type !== "Word") throw new Error(`${text} is no word.`)
  return word
}

function truth(text: string): string[] {
  const env = { PATH: process.env["PATH"] ?? "", HOME: "/home/me", LC_ALL: "C.UTF-8" }
  return execFileSync("bash", ["-c", `set -f; printf '%s\\0' ${text}`], { env, stdio: ["ignore", "pipe", "ignore"] })
    .toString()
    .split("\0")
    .slice(0, -1)
}

it.each([
  ...[
    "{a,b}",
    "x{a,b}y",
    "{a,b}{c,d}",
    "{a,b{c,d}}",
    "{b{c,d},a}",
    "{{a,b},c}",
    "{a,}",
    "{,a}x",
    "{}",
    "{a}",
    "a{b",
    "a}b,{c,d}",
  ],
  ...[
    "{1..5}",
    "{5..1}",
    "{01..10..3}",
    "{-2..2}",
    "{a..e}",
    "{e..a..2}",
    "{a..e}x{1..2}",
    "{1..}",
    "{a,'b,c'}",
    '{a,"b}",c}',
    "{a,\\,,b}",
    "\\{a,b}",
  ],
  ...[
    "'{a,b}'",
    '"{a,b}"',
    "{../a,b}/c",
    "{~,x}/y",
    "{a,{b},c}",
    "{a,b}}",
    "{{a,b}",
    "{a,${HOME},b}",
    "x{$HOME,y}",
    "{a,b}$HOME",
    "{a,{1..3}}",
    "{,,}x",
    "a{b,c}d{e,f}g",
  ],
])("makes the words of %s that bash makes", (text) => {
  const words = alternatives(wordOf(text)).map((word) => word.text)
  // What else is expanded is bash's to tell.
  expect(words.flatMap((word) => truth(word))).toEqual(truth(text))
  expect(words.filter((word) => /(?<![\\'"$])\{[^'"{}]*[^'"{}\\],[^'"{}]*\}/.test(word))).toEqual([])
})

it("leaves a word as it is that stands for too many", () => {
  for (const text of ["{1..1000}", "{a,b}".repeat(20), `{${"a,".repeat(2000)}b}`]) {
    const word = wordOf(text)
    expect(alternatives(word)).toEqual([word])
  }
})
