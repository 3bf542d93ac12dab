import { expect, it } from "vitest"
import { mentionsIn, splitLines } from "./mentions.ts"

it.each<[text: string, mentions: string[]]>([
  ["look at @src/a.ts and @b.md", ["src/a.ts", "b.md"]],
  ["@a.ts first, @a.ts again", ["a.ts"]],
  ["write to ann@example.com", []],
  ["code `@param` and \\@x", ["x"]],
  ['@"a file.txt" here', ["a file.txt"]],
  ["a diff: @@ -1 +1 @@", []],
  ["(@src/a.ts#L10-20)", ["src/a.ts#L10-20)"]],
  ["path/@scope", []],
])("%s names %j", (text, mentions) => {
  expect(mentionsIn(text).map(([first]) => first)).toEqual(mentions)
})

it("gives other ways to read what ends as a sentence does", () => {
  expect(mentionsIn("see @a.ts).")).toEqual([["a.ts).", "a.ts)", "a.ts"]])
  expect(mentionsIn(`@a${"!".repeat(4000)}`)[0]).toHaveLength(6)
})

it.each<[written: string, name: string, lines?: [first: number, last: number]]>([
  ["a.ts#L10-20", "a.ts", [10, 20]],
  ["a.ts#L10-L20", "a.ts", [10, 20]],
  ["a.ts#L7", "a.ts", [7, 7]],
  ["a.ts:10-20", "a.ts", [10, 20]],
  ["a.ts:7", "a.ts", [7, 7]],
  ["a:1.ts", "a:1.ts"],
  ["a.ts:", "a.ts:"],
  [":7", ":7"],
  ["a.ts:12345678", "a.ts:12345678"],
])("splits %s into a name and lines", (written, name, lines) => {
  const range = lines && { lines: { first: lines[0], last: lines[1] } }
  expect(splitLines(written)).toEqual({ name, ...range })
})
