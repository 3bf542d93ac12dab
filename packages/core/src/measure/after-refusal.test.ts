import * as fc from "fast-check"
import { expect, it } from "vitest"
import { usableAfterRefusal } from "./after-refusal.ts"

const refused = { expected: 20_000, usable: 80_000, reserve: 20_000, accepted: 0 }

it("takes the limit that the refusal names, less a reserve", () => {
  expect(usableAfterRefusal({ ...refused, limit: 16_000 })).toBe(12_800)
  expect(usableAfterRefusal({ ...refused, limit: 200_000, expected: 300_000 })).toBe(80_000)
})

it("scales the limit by how far the estimate was off", () => {
  expect(usableAfterRefusal({ ...refused, limit: 32_000, requested: 40_000 })).toBe(12_800)
})

it("takes the refused request itself if the refusal names nothing of use", () => {
  expect(usableAfterRefusal(refused)).toBe(20_000)
  expect(usableAfterRefusal({ ...refused, usable: Infinity })).toBe(20_000)
  expect(usableAfterRefusal({ ...refused, limit: 100_000 })).toBe(20_000)
  expect(usableAfterRefusal({ ...refused, limit: 100_000, requested: 10 })).toBe(20_000)
  expect(usableAfterRefusal({ ...refused, limit: Number.NaN })).toBe(20_000)
})

it("never falls below what was accepted before, nor exceeds the window", () => {
  expect(usableAfterRefusal({ ...refused, accepted: 18_000, limit: 8_000 })).toBe(18_000)
  const tokens = fc.integer({ min: 0, max: 2_000_000 })
  const maybe = fc.option(tokens, { nil: undefined })
  fc.assert(
    fc.property(
      tokens,
      tokens,
      tokens,
      tokens,
      maybe,
      maybe,
      (expected, usable, reserve, accepted, limit, requested) => {
        const result = usableAfterRefusal({ expected, usable, reserve, accepted, limit, requested })
        expect(result).toBeLessThanOrEqual(usable)
        expect(result).toBeGreaterThanOrEqual(Math.min(usable, accepted))
      },
    ),
  )
})
