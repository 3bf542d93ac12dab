import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isPruneWorthwhile, type PruneSituation } from "./worthwhile.ts"

const unpriced = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
const situation: PruneSituation = {
  selection: { reclaimed: 30_000, rewritten: 60_000 },
  isDue: false,
  sinceAnswer: 1_000,
  cacheTTL: 300_000,
  furtherSteps: 10,
  cost: unpriced,
}

describe("isPruneWorthwhile", () => {
  it("is not, where nothing can be cleared", () => {
    const selection = { reclaimed: 0, rewritten: 0 }
    const decision = isPruneWorthwhile({ ...situation, selection, isDue: true })
    expect(decision).toEqual({ prune: false, reason: "nothing-to-clear" })
  })

  it("is, when a compaction is due", () => {
    expect(isPruneWorthwhile({ ...situation, isDue: true })).toEqual({ prune: true, reason: "compaction-due" })
  })

  it("is, when the provider's cache has expired or was never written", () => {
    const expired = { prune: true, reason: "cache-expired" }
    expect(isPruneWorthwhile({ ...situation, sinceAnswer: 300_001 })).toEqual(expired)
    expect(isPruneWorthwhile({ ...situation, sinceAnswer: undefined })).toEqual(expired)
    expect(isPruneWorthwhile({ ...situation, sinceAnswer: 300_000 }).prune).toBe(false)
  })

  it("is, when reading less saves more than writing anew costs, at common ratios without prices", () => {
    // 30,000 × 0.1 a step against 60,000 × 1.15.
    expect(isPruneWorthwhile({ ...situation, furtherSteps: 23 })).toEqual({
      prune: false,
      reason: "cache-is-worth-more",
    })
    expect(isPruneWorthwhile({ ...situation, furtherSteps: 24 })).toEqual({ prune: true, reason: "saves" })
  })

  it("goes by the prices that are known, writing at the input price where it is not charged", () => {
    const steps = (cost: PruneSituation["cost"]) => {
      for (let furtherSteps = 0; furtherSteps < 100; furtherSteps++) {
        if (isPruneWorthwhile({ ...situation, furtherSteps, cost }).prune) return furtherSteps
      }
      return undefined
    }
    expect(steps({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBe(24)
    expect(steps({ input: 2, output: 8, cacheRead: 0.5, cacheWrite: 0 })).toBe(7)
    expect(steps({ input: 2, output: 8, cacheRead: 0, cacheWrite: 0 })).toBe(19)
  })

  it("never changes its mind as more steps are expected", () => {
    const price = fc.double({ min: 0, max: 100, noNaN: true })
    const cost = fc.record({ input: price, output: price, cacheRead: price, cacheWrite: price })
    const tokens = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(cost, tokens, tokens, fc.nat({ max: 500 }), (cost, reclaimed, rewritten, furtherSteps) => {
        const given = { ...situation, cost, selection: { reclaimed, rewritten } }
        if (!isPruneWorthwhile({ ...given, furtherSteps }).prune) return
        expect(isPruneWorthwhile({ ...given, furtherSteps: furtherSteps + 1 }).prune).toBe(true)
      }),
    )
  })
})
