import { expect, it } from "vitest"
import { sumOf } from "./sum-of.ts"

it("adds up and names the calls that were never hit", () => {
  const results = [
    { call: "write", points: 2, bad: ["write 1: half"] },
    { call: "rename", points: 0, bad: [] },
    { call: "link", points: 0, bad: [] },
    { call: "link", points: 1, bad: [] },
  ]
  expect(sumOf(results)).toEqual({ points: 3, bad: ["write 1: half"], note: "never hit: rename" })
  expect(sumOf(results.slice(0, 1))).toEqual({ points: 2, bad: ["write 1: half"] })
})
