import { expect, it } from "vitest"
import { MARK, markFor, marksIn, MAX_MARKS } from "./marks.ts"

const many = Array.from({ length: 100 }, (_, index) => `mark-${index}`)

it.each<[string, string | undefined, string]>([
  ["of nothing", undefined, "own"],
  ["of an empty variable", "", "own"],
  ["inside of others", "a.1:b-2", "a.1:b-2:own"],
  ["that is there already, once and last", "own:a:own", "a:own"],
  ["without words that are no marks", `a::b c:\n:é:${"x".repeat(257)}:b`, "a:b:own"],
])("is the mark %s", (_what, outer, expected) => {
  expect(markFor("own", { [MARK]: outer })).toEqual({ [MARK]: expected })
})

it("keeps the outermost and the innermost of very many", () => {
  const marks = marksIn(markFor("own", { [MARK]: many.join(":") })[MARK])
  expect(marks).toHaveLength(MAX_MARKS)
  expect(marks.slice(0, 2)).toEqual(["mark-0", "mark-1"])
  expect(marks.slice(-2)).toEqual(["mark-99", "own"])
})
