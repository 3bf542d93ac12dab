import { expect, it } from "vitest"
import { changedPart } from "./changed-part.ts"

const text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"

it.each([
  [text, text.replace("5", "five"), { before: "4\n5\n6\n", after: "4\nfive\n6\n", line: 3 }],
  [text, text.replace("5\n", ""), { before: "4\n5\n6\n7\n", after: "4\n6\n7\n", line: 3 }],
  [text, text.replace("5\n", "5\n5\n"), { before: "5\n6\n7\n", after: "5\n5\n6\n7\n", line: 4 }],
  [text, text.replace("1", "one"), { before: "1\n2\n", after: "one\n2\n", line: 0 }],
  [text, `${text}10`, { before: "9\n", after: "9\n10", line: 8 }],
  [text, text.slice(0, -1), { before: "8\n9\n", after: "8\n9", line: 7 }],
  ["", "a\n", { before: "", after: "a\n", line: 0 }],
  ["\n\na\n", "\n\nb\n", { before: "\na\n", after: "\nb\n", line: 1 }],
])("of %j and %j", (before, after, expected) => {
  const part = changedPart(before, after, 1)
  expect(part).toEqual(expected)
})
