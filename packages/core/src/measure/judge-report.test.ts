import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { judgeReport, type Judgement, type ReportedUsage } from "./judge-report.ts"

const sent = { bytes: 12_000, media: 0, basis: undefined, isCut: false, maxOutput: 1000 }
const basis = { bytes: 10_000, tokens: 2500 }

/** `size`, `drop` or `growth` of what is believed, else the problem. */
function verdict(usage: Partial<ReportedUsage>): string {
  const judgement = judgeReport({ ...sent, reported: 3000, ...usage })
  return judgement.type === "believed" ? judgement.by : judgement.problem
}

describe("judgeReport", () => {
  it.each<[number, string]>([
    [0, "missing"],
    [-1, "missing"],
    [Number.NaN, "missing"],
    [1, "too-few"],
    [999, "too-few"],
    [1000, "size"],
    [3000, "size"],
    [12_000, "size"],
    [12_001, "too-many"],
    [150_000, "too-many"],
    [Infinity, "too-many"],
  ])("judges %d tokens for 12,000 bytes as %s", (reported, expected) => {
    expect(verdict({ reported })).toBe(expected)
  })

  it("allows media several times their estimate, or nothing for them", () => {
    expect(verdict({ media: 1000, reported: 16_000 })).toBe("size")
    expect(verdict({ media: 1000, reported: 16_001 })).toBe("too-many")
    expect(verdict({ media: 100_000, reported: 1000 })).toBe("size")
  })

  it("follows a report that grows with the request", () => {
    expect(verdict({ basis, reported: 3000 })).toBe("size")
    expect(judgeReport({ ...sent, basis, reported: 3000 }).basis).toEqual({ bytes: 12_000, tokens: 3000 })
  })

  it("ignores a report that stays as it is while the request grows by a tenth", () => {
    expect(judgeReport({ ...sent, bytes: 10_900, basis, reported: 2500 })).toEqual({
      type: "believed",
      by: "drop",
      basis,
    })
    expect(judgeReport({ ...sent, bytes: 11_000, basis, reported: 2500 })).toEqual({
      ...{ type: "ignored", problem: "not-growing", basis },
    })
    expect(verdict({ bytes: 11_000, basis, reported: 1900 })).toBe("not-growing")
    expect(verdict({ bytes: 11_000, basis, reported: 2584 })).toBe("size")
  })

  it("takes a report that falls far for another beginning, and one behind a cut", () => {
    expect(judgeReport({ ...sent, basis, reported: 1800 })).toMatchObject({ by: "drop", basis: { tokens: 1800 } })
    expect(verdict({ basis, isCut: true, reported: 2500 })).toBe("size")
    expect(verdict({ bytes: 9000, basis, reported: 2500 })).toBe("size")
  })

  it("believes more than the text if all of it has come since a plausible report, with text and one answer", () => {
    const near = { bytes: 10_000, tokens: 9500 }
    expect(verdict({ basis: near, reported: 12_500 })).toBe("growth")
    expect(verdict({ basis: near, reported: 12_501 })).toBe("too-many")
    expect(verdict({ basis: { bytes: 10_000, tokens: 60_000 }, reported: 59_000 })).toBe("too-many")
    expect(verdict({ basis: near, isCut: true, reported: 12_500 })).toBe("too-many")
  })

  it("believes that what was added is still there when the request becomes shorter", () => {
    const hidden = { bytes: 50_000, tokens: 80_000 }
    expect(verdict({ basis: hidden, isCut: true, reported: 40_000 })).toBe("growth")
    expect(verdict({ basis: hidden, isCut: true, reported: 80_001 })).toBe("too-many")
    expect(verdict({ basis: { bytes: 50_000, tokens: 12_500 }, isCut: true, reported: 12_400 })).toBe("too-many")
  })

  it("keeps the basis of a report that is ignored, until the conversation is cut", () => {
    expect(judgeReport({ ...sent, basis, reported: 10 })).toMatchObject({ basis })
    expect(judgeReport({ ...sent, basis, isCut: true, reported: 10 }).basis).toBeUndefined()
  })

  it("never believes five or fifty times the truth, nor a tenth, however long the conversation", () => {
    const steps = fc.array(fc.integer({ min: 200, max: 30_000 }), { minLength: 2, maxLength: 40 })
    fc.assert(
      fc.property(steps, fc.constantFrom(0.1, 5, 50), fc.nat({ max: 128_000 }), (added, factor, maxOutput) => {
        let bytes = 8000
        let last: Judgement["basis"]
        for (const more of added) {
          const judgement = judgeReport({
            ...{ bytes, media: 0, reported: Math.round((bytes / 4) * factor), basis: last },
            ...{ isCut: last === undefined, maxOutput },
          })
          expect(judgement.type).toBe("ignored")
          last = judgement.basis
          bytes += more
        }
      }),
    )
  })
})
