import { expect, it } from "vitest"
import { harmless, secrets } from "../../test/secret-corpus.ts"
import { maskedPatterns } from "./masked-patterns.ts"

const masked = (text: string) => maskedPatterns(text)

it("misses no secret of the corpus", () => {
  expect(secrets.length).toBeGreaterThanOrEqual(60)
  expect(secrets.filter(([text, secret]) => !text.includes(secret))).toEqual([])
  expect(secrets.filter(([text, secret]) => masked(text).includes(secret)).map(([text]) => text)).toEqual([])
})

it("leaves what is harmless as it is", () => {
  expect(harmless.length).toBeGreaterThanOrEqual(40)
  expect(harmless.filter((text) => masked(text) !== text).map(masked)).toEqual([])
})
