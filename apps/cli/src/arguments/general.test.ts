import { expect, it } from "vitest"
import { withFormat, nameFirst } from "./general.ts"

it.each([
  { given: ["--json", "session", "list", "-a"], becomes: ["session", "list", "--json", "-a"] },
  { given: ["session", "--json", "list"], becomes: ["session", "list", "--json"] },
  { given: ["--color", "never", "-q", "run", "x"], becomes: ["run", "x", "--color", "never", "-q"] },
  { given: ["--color=never", "run", "-m", "a/b"], becomes: ["run", "--color=never", "-m", "a/b"] },
  { given: ["-m", "run"], becomes: ["-m", "run"] },
  { given: ["--color"], becomes: ["--color"] },
  { given: ["run", "--quiet", "--", "--json"], becomes: ["run", "--quiet", "--", "--json"] },
  { given: ["--", "--json"], becomes: ["--", "--json"] },
  { given: [], becomes: [] },
])("reads the command's name first in $given", ({ given, becomes }) => {
  expect(nameFirst(given)).toEqual(becomes)
})

it("takes --json for --format json, and refuses two ways to print", () => {
  expect(withFormat({}, { json: true })).toEqual({ format: "json" })
  expect(withFormat({ format: "json" }, { json: true })).toEqual({ format: "json" })
  expect(withFormat({ format: "text" }, {})).toEqual({ format: "text" })
  expect(() => withFormat({ format: "text" }, { json: true })).toThrow(
    "--json and --format text cannot be used together",
  )
})
