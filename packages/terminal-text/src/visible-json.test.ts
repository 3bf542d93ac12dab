import { expect, it } from "vitest"
import { visibleJSON } from "./visible-json.ts"

it("writes the same value, with nothing in it that a terminal would obey or that cannot be seen", () => {
  const value = { "a\u009b2J": ["\u202e\u2028\u{e0041}\u200b", "plain ü 漢 🎉\n"] }
  const shown = visibleJSON(value, undefined, 2)
  expect(JSON.parse(shown)).toEqual(value)
  expect(shown.split("\n")).toHaveLength(6)
  expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  expect(visibleJSON("ü 漢 🎉")).toBe('"ü 漢 🎉"')
})
