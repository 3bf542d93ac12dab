import { expect, it } from "vitest"
import { drivingWords } from "./search.ts"

it.each([
  ["the rare ones, however many are common", ["the", "rare", "rarer"], [900_000, 5000, 10], 100, ["rare", "rarer"]],
  ["the rarest common one where the walk would be longer", ["the", "old"], [900_000, 30_000], 400_000, ["old"]],
  ["none where what is common will soon be found", ["the", "and"], [900_000, 800_000], 500, []],
])("asks the index for %s", (_what, words, estimates, expected, driving) => {
  expect(drivingWords(words, estimates, expected)).toEqual(driving)
})
