import { expect, it } from "vitest"
import { skipLines } from "./skip-lines.ts"

it("has a line for each reason", () => {
  const skips = [
    { spec: "watch across handles", reason: "it keeps nothing" },
    { spec: "two writers", reason: "one process only" },
    { spec: "reopen after close", reason: "it keeps nothing" },
  ]
  expect(skipLines("storage contract: mine", skips)).toEqual([
    "storage contract: mine: skipped, it keeps nothing: watch across handles, reopen after close",
    "storage contract: mine: skipped, one process only: two writers",
  ])
  expect(skipLines("storage contract: mine", [])).toEqual([])
})
