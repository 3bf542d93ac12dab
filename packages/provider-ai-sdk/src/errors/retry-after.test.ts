import { expect, it } from "vitest"
import { retryAfter } from "./retry-after.ts"

const now = Date.parse("2025-11-21T10:00:00Z")

it.each([
  ["nothing", {}, undefined],
  ["seconds", { "retry-after": "30" }, 30_000],
  ["fractions of a second", { "retry-after": "0.25" }, 250],
  ["milliseconds before seconds", { "retry-after-ms": "1500", "retry-after": "9" }, 1500],
  ["zero", { "retry-after": "0" }, 0],
  ["a date by our clock", { "retry-after": "Fri, 21 Nov 2025 10:00:05 GMT" }, 5000],
  [
    "a date by the server's clock",
    { date: "Fri, 21 Nov 2025 23:00:00 GMT", "retry-after": "Fri, 21 Nov 2025 23:00:07 GMT" },
    7000,
  ],
  ["a date in the past", { "retry-after": "Fri, 21 Nov 2025 09:00:00 GMT" }, 0],
  ["a negative number", { "retry-after": "-1" }, undefined],
  ["nonsense", { "retry-after": "soon" }, undefined],
])("reads %s", (_name, headers, expected) => {
  expect(retryAfter(headers, now)).toBe(expected)
})
