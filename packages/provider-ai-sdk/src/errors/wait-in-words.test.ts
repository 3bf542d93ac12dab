import { expect, it } from "vitest"
import { waitInWords } from "./wait-in-words.ts"

it.each([
  ["Please try again in 20s.", 20_000],
  ["Please try again in 1m47.5854s. Visit the console.", 107_585],
  ["Please try again in 2h3m4s.", 7_384_000],
  ["Try again in 350ms.", 350],
  ["Please retry after 86400 seconds.", 86_400_000],
  ["Please retry in 34.5s.", 34_500],
  ["Try again in 5 minutes.", 300_000],
  ["Try again in 1 hour.", 3_600_000],
  ["Please try again later.", undefined],
  ["Try again in a moment.", undefined],
  ["Limit 30000, Requested 90000.", undefined],
  ["Retry after 2025-07-01.", undefined],
])("%s", (message, expected) => {
  expect(waitInWords(message)).toBe(expected)
})
