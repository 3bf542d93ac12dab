import { expect, it } from "vitest"
import { checkedName, generatedName } from "./name.ts"

it.each([
  "",
  "..",
  "a/b",
  "../x",
  "a..b",
  ".hidden",
  "-x",
  "a.lock",
  "a b",
  "a\nb",
  "a:b",
  "a~1",
  "x".repeat(61),
  "end.",
])("refuses the name %j", (name) => {
  expect(() => checkedName(name)).toThrow("invalid name of a worktree")
})

it.each(["a", "fix-login", "v1.2_x+y", "größe-修正", "gro\u0308ße"])("takes the name %j in its normal form", (name) => {
  expect(checkedName(name)).toBe(name.normalize("NFC"))
})

it("generates a name that is free, however many are taken", () => {
  let attempts = 0
  expect(checkedName(generatedName(() => ++attempts < 200, "Look: it!"))).toMatch(/^look-it-[a-z]+-[a-z]+-\d+$/)
})
