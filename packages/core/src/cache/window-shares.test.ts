import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { split, windowShares } from "./window-shares.ts"

describe("splitting", () => {
  it("adds up to the whole, within one of what each weight deserves", () => {
    const weights = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.nat(1_000_000), weights, (whole, given) => {
        const parts = split(whole, given)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole)
        const sum = given.reduce((total, weight) => total + weight, 0)
        if (sum > 0)
          for (const [at, part] of parts.entries()) {
            expect(Math.abs(part - (whole * (given[at] ?? 0)) / sum)).toBeLessThan(1)
          }
      }),
    )
  })
})

describe("the shares of a request", () => {
  const size = (bytes: number, media = 0) => ({ bytes, media })

  it("are those of its blocks and of its messages", () => {
    const content = {
      expected: { system: 1_000, tools: 500, messages: 1_000, media: 300 },
      size: {
        bytes: { system: 4_000, tools: 2_000, messages: 4_000 },
        messages: [size(400), size(600), size(1_000, 300), size(2_000)],
      },
      instructionBytes: 3_000,
      summaryMessages: 2,
      newFrom: 3,
    }
    expect(windowShares(content)).toEqual({
      ...{ system: 250, instructions: 750, tools: 500 },
      ...{ summary: 250, tail: 250 + 300, new: 500 },
    })
  })

  it("count no message twice, even when the turn began before the summary", () => {
    const content = {
      expected: { system: 0, tools: 0, messages: 400, media: 0 },
      size: { bytes: { system: 0, tools: 0, messages: 400 }, messages: [size(100), size(100), size(100), size(100)] },
      ...{ instructionBytes: 0, summaryMessages: 3, newFrom: 1 },
    }
    expect(windowShares(content)).toMatchObject({ summary: 300, tail: 0, new: 100 })
  })

  it("add up to the request, whatever it holds", () => {
    const message = fc.record({ bytes: fc.nat(50_000), media: fc.nat(2_000) })
    const tokens = fc.nat(200_000)
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 12 }),
        fc.record({ system: tokens, tools: tokens, messages: tokens, media: tokens }),
        fc.record({ instructionBytes: tokens, summaryMessages: fc.nat(14), newFrom: fc.nat(14) }),
        (messages, expected, rest) => {
          const bytes = { system: 40_000, tools: 10_000, messages: 0 }
          const parts = Object.values(windowShares({ expected, size: { bytes, messages }, ...rest }))
          const sum = Object.values(expected).reduce((total, part) => total + part, 0)
          expect(parts.reduce((total: number, part: number) => total + part, 0)).toBe(sum)
          expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
        },
      ),
    )
  })
})
