import { describe, expect, it } from "vitest"
import { cost } from "./usage.ts"
import { addTokens, noTokens } from "../record/tokens.ts"

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const tokens = (input: number, output: number, reasoning = 0, read = 0, write = 0) => {
  return { input, output, reasoning, cache: { read, write } }
}

describe("cost", () => {
  it.each([
    ["input", tokens(1e6, 0), 3],
    ["output", tokens(0, 1e6), 15],
    ["reasoning, as output", tokens(0, 0, 1e6), 15],
    ["cache reads", tokens(0, 0, 0, 1e6), 0.3],
    ["cache writes", tokens(0, 0, 0, 0, 1e6), 3.75],
    ["all of them", tokens(1e6, 1e6, 1e6, 1e6, 1e6), 37.05],
    ["nothing", noTokens, 0],
  ])("bills %s for a million tokens", (_what, used, dollars) => {
    expect(cost(used, price)).toBeCloseTo(dollars, 10)
  })

  it.each([
    ["at its size, as before", 200_000, 0.6],
    ["above it, by its prices for all tokens", 200_001, 1.200006],
    ["above two, by the higher one", 1_000_001, 9.000009],
  ])("bills a request that is %s of a tier", (_what, size, dollars) => {
    const tier = (above: number, input: number) => ({ ...price, input, above })
    const tiers = [tier(1_000_000, 9), tier(200_000, 6)]
    expect(cost(tokens(size, 0), { ...price, tiers })).toBeCloseTo(dollars, 10)
  })

  it("counts what the cache holds as part of a request's size", () => {
    const tiers = [{ ...price, cacheRead: 0.6, above: 200_000 }]
    expect(cost(tokens(0, 0, 0, 200_001), { ...price, tiers })).toBeCloseTo(0.1200006, 10)
  })

  it.each([
    ["unknown prices", tokens(1, 1), { ...price, input: Number.NaN }],
    ["nonsense usage", tokens(Number.POSITIVE_INFINITY, 0), price],
    ["negative usage", tokens(-10, 0), price],
  ])("is 0, never nonsense, with %s", (_what, used, prices) => {
    expect(cost(used, prices)).toBe(0)
  })
})

describe("addTokens", () => {
  it("adds counter by counter", () => {
    expect(addTokens(tokens(1, 2, 3, 4, 5), tokens(10, 20, 30, 40, 50))).toEqual(tokens(11, 22, 33, 44, 55))
  })

  it("changes neither summand", () => {
    const a = tokens(1, 2, 3, 4, 5)
    addTokens(a, a)
    expect(a).toEqual(tokens(1, 2, 3, 4, 5))
    expect(addTokens(noTokens, noTokens)).toEqual(noTokens)
  })
})
