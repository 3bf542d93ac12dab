import { expect, it } from "vitest"
import { errorLine } from "./error-line.ts"

it.each([
  ["TypeError: x is not a function", "TypeError: x is not a function"],
  [
    "10:00 info all well\nError: ERR_CACHE: the lease is stale\n    at run (a.ts:1:2)",
    "Error: ERR_CACHE: the lease is stale",
  ],
  ["Traceback:\n  File x\nValueError: invalid literal", "ValueError: invalid literal"],
  ["error[E0308]: mismatched types", "error[E0308]: mismatched types"],
  ["fatal: not a git repository", "fatal: not a git repository"],
  ["Caused by: java.io.IOException: Stream closed", "Caused by: java.io.IOException: Stream closed"],
  [
    "src/a.ts(1,2): error TS2322: Type 'a' is not assignable.",
    "src/a.ts(1,2): error TS2322: Type 'a' is not assignable.",
  ],
])("finds the line that names an error in %j", (output, line) => {
  expect(errorLine(output)).toBe(line)
})

it.each(["0 errors, 3 warnings", "Error handling is done.", "The error was fixed", "Aborted", ""])(
  "finds none in %j",
  (output) => {
    expect(errorLine(output)).toBeUndefined()
  },
)

it("shortens a long line, and looks at long lines only as far as they are read", () => {
  const line = errorLine(`Error: ${"😀".repeat(5000)}`) ?? ""
  expect(line).toHaveLength(200)
  expect(line.isWellFormed()).toBe(true)
  expect(errorLine(`${"x".repeat(2_000_000)} error`)).toBeUndefined()
})
