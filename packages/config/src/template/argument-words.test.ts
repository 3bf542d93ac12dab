import { expect, it } from "vitest"
import { argumentWords } from "./argument-words.ts"

it.each<[string, string[]]>([
  ["", []],
  ["  \n\t ", []],
  ["a  b\nc", ["a", "b", "c"]],
  [`"a b" 'c d'`, ["a b", "c d"]],
  [`--author="Ada L" x='y z'`, ["--author=Ada L", "x=y z"]],
  [`"" ''`, ["", ""]],
  ["don't say it's Bob's", ["don't", "say", "it's", "Bob's"]],
  [`"open a`, [`"open`, "a"]],
  [`"a"b c`, [`"a"b`, "c"]],
  ["see [Image 1] [image 22] [Image x]", ["see", "[Image 1]", "[image 22]", "[Image", "x]"]],
  ["$(a b) `c d`", ["$(a", "b)", "`c", "d`"]],
  ["naïve 名前", ["naïve", "名前"]],
])("%j is %j", (text, words) => {
  expect(argumentWords(text)).toEqual(words)
})
