import { expect, it } from "vitest"
import { milliseconds } from "./milliseconds.ts"

it.each([
  ["0", 0],
  ["30s", 30_000],
  ["90m", 5_400_000],
  ["12h", 43_200_000],
  ["7d", 604_800_000],
])("%s is %i", (text, value) => {
  expect(milliseconds("--min-age", text, "storage gc")).toBe(value)
})

it.each(["", "5", "1w", "-1d", "1.5h", "d"])("refuses %j", (text) => {
  expect(() => milliseconds("--min-age", text, "storage gc")).toThrow(
    `invalid value "${text}" for --min-age: expected a time such as 90m, 12h or 7d`,
  )
})
