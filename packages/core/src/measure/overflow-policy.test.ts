import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clampOutput, overflowPolicy } from "./overflow-policy.ts"

const ref = { providerID: "acme", modelID: "small" }
const policy = (context: number, output: number, input?: number, settings = {}) => {
  return overflowPolicy({ limit: { context, output, ...(input === undefined ? {} : { input }) } }, ref, settings)
}

describe("overflowPolicy", () => {
  it.each([
    // context, output, input, reserve, usable, soft, tail
    [200_000, 64_000, undefined, 20_000, 180_000, 162_000, 15_000],
    [200_000, 8_192, undefined, 8_192, 191_808, 172_627, 15_000],
    [400_000, 128_000, 272_000, 20_000, 252_000, 226_800, 15_000],
    [40_000, 32_000, undefined, 8_000, 32_000, 28_800, 8_000],
    [8_192, 0, undefined, 1_638, 6_554, 5_898, 2_000],
    [4_000, 4_000, undefined, 800, 3_200, 2_880, 1_280],
    [0, 16_000, 100_000, 16_000, 84_000, 75_600, 15_000],
  ])("of a window of %i and an output of %i, input %s", (context, output, input, reserve, usable, soft, tail) => {
    expect(policy(context, output, input)).toMatchObject({ reserve, usable, soft, hard: usable, tail })
  })

  it("knows no limit where none is stated", () => {
    const unlimited = { window: Infinity, usable: Infinity, soft: Infinity, hard: Infinity, tail: 15_000 }
    expect(policy(0, 0)).toMatchObject({ ...unlimited, maxOutput: 32_000, reserve: 20_000 })
    expect(policy(0, 0, 0, { soft: 0 })).toMatchObject(unlimited)
  })

  it("asks for 32,000 tokens of output at most", () => {
    expect([policy(200_000, 64_000), policy(200_000, 8_000), policy(200_000, 0)].map((each) => each.maxOutput)).toEqual(
      [32_000, 8_000, 32_000],
    )
  })

  it("does what the settings say, of which those for the model win", () => {
    const models = { "acme/*": { reserved: 30_000, soft: 0.5, preserve_recent_tokens: 30_000 } }
    const settings = { auto: false, prune: false, reserved: 1, tail_turns: 3, cache_ttl_ms: 3_600_000, models }
    expect(policy(200_000, 64_000, undefined, settings)).toMatchObject({
      ...{ reserve: 30_000, usable: 170_000, soft: 85_000, tail: 30_000, tailTurns: 3 },
      ...{ auto: false, prune: false, cacheTTL: 3_600_000 },
    })
    expect(policy(200_000, 64_000)).toMatchObject({ tailTurns: Infinity, auto: true, prune: true, cacheTTL: 300_000 })
  })

  it("leaves half of the window at least, and a tail that a compaction can be worth, whatever is set", () => {
    const number = fc.oneof(fc.integer({ min: -10, max: 2_000_000 }), fc.constant(undefined))
    const settings = fc.record({
      reserved: number,
      preserve_recent_tokens: number,
      tail_turns: number,
      soft: fc.double({ min: -1, max: 3, noNaN: true }),
    })
    const limit = fc.nat({ max: 2_000_000 })
    fc.assert(
      fc.property(limit, limit, fc.option(limit, { nil: undefined }), settings, (context, output, input, settings) => {
        const made = policy(context, output, input, settings)
        const most = Math.min(context || Infinity, input || Infinity)
        expect(made.usable + made.reserve).toBe(most)
        expect(made.reserve).toBeGreaterThanOrEqual(0)
        expect(made.usable).toBeGreaterThanOrEqual(most / 2)
        expect(made.hard).toBe(made.usable)
        expect(made.soft).toBeLessThanOrEqual(made.hard)
        expect(made.tail).toBeGreaterThanOrEqual(0)
        expect(made.tail).toBeLessThanOrEqual(made.usable * 0.4)
        expect(made.tailTurns).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe("clampOutput", () => {
  it("gives the answer what the input leaves", () => {
    expect(clampOutput(32_000, 200_000, 100_000)).toBe(32_000)
    expect(clampOutput(32_000, 200_000, 180_000.5)).toBe(19_999)
    expect(clampOutput(32_000, Infinity, 1e9)).toBe(32_000)
  })

  it("never asks for more than fits beside the input, unless less than an answer needs would fit", () => {
    const count = fc.integer({ min: 1, max: 2_000_000 })
    fc.assert(
      fc.property(count, count, count, (maxOutput, window, input) => {
        const output = clampOutput(maxOutput, window, input)
        expect(output).toBeLessThanOrEqual(maxOutput)
        expect(output).toBeGreaterThanOrEqual(Math.min(1_024, maxOutput))
        if (window - input >= 1_024) expect(input + output).toBeLessThanOrEqual(window)
      }),
    )
  })
})
