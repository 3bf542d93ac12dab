import { expect, it } from "vitest"
import { mentionsIn } from "./mentions.ts"

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
