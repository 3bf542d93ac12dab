import type { ModelInfo } from "@pawl/core/provider"
import { expect, it } from "vitest"
import { defaultModelInfo, toModelInfo } from "./model-info.ts"

const known: ModelInfo = {
  ...defaultModelInfo("small"),
  name: "Small",
  limit: { context: 1000, output: 100 },
  cost: {
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite: 4,
    tiers: [{ above: 10, input: 9, output: 9, cacheRead: 9, cacheWrite: 9 }],
  },
  promptFamily: "openai",
  variants: { low: { effort: "low" } },
}

it("changes nothing of what is known without a word", () => {
  expect(toModelInfo({ id: "small" }, known)).toEqual(known)
})

it("lets what is configured win, field by field", () => {
  const info = toModelInfo({ id: "small", limit: { context: 5 }, variants: { high: { effort: "high" } } }, known)
  expect(info).toEqual({
    ...known,
    limit: { context: 5, output: 100 },
    variants: { low: { effort: "low" }, high: { effort: "high" } },
  })
})

it("drops the tiers of prices that are no longer those of the vendor", () => {
  const { cost } = toModelInfo({ id: "small", cost: { input: 7 } }, known)
  expect(cost).toEqual({ input: 7, output: 2, cacheRead: 3, cacheWrite: 4 })
})

it("takes the prices of the cache that a tier does not tell from below it", () => {
  const tiers = [{ above: 10, input: 8, output: 9, cacheWrite: 5 }]
  expect(toModelInfo({ id: "small", cost: { input: 7, cacheRead: 2, tiers } }, known).cost).toEqual({
    ...{ input: 7, output: 2, cacheRead: 2, cacheWrite: 4 },
    tiers: [{ above: 10, input: 8, output: 9, cacheRead: 2, cacheWrite: 5 }],
  })
})

it("adds variants to those that are known, changes these, and takes away what is disabled", () => {
  const both = { ...known, variants: { low: { effort: "low" }, high: { effort: "high", summary: "auto" } } }
  const configured = { low: { disabled: true }, high: { effort: "most", disabled: false }, fast: { tier: "priority" } }
  expect(toModelInfo({ id: "small", variants: configured }, both).variants).toEqual({
    high: { effort: "most", summary: "auto" },
    fast: { tier: "priority" },
  })
})
