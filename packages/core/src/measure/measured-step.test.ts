import { describe, expect, it } from "vitest"
import type { Judgement, ReportProblem } from "./judge-report.ts"
import { measuredOf } from "./measured-step.ts"

const known = { bytesPerToken: 2, error: 0.1, samples: 3 }
const request = { bytes: 12_000, media: 0, estimate: 3000, reported: 3000, model: {} }
const basis = { bytes: 12_000, tokens: 3000 }
const ignored = (problem: ReportProblem): Judgement => ({ type: "ignored", problem, basis })

describe("measuredOf", () => {
  it("learns of a report that the text explains, and of no other", () => {
    const learned = measuredOf(known, request, { type: "believed", by: "size", basis }, false)
    expect(learned).toMatchObject({ report: "size", basis, samples: 4 })
    expect(learned.bytesPerToken).toBeGreaterThan(2)
    expect(learned).not.toHaveProperty("ignored")
    for (const by of ["drop", "growth"] as const) {
      expect(measuredOf(known, request, { type: "believed", by, basis }, false)).toMatchObject({ ...known, report: by })
    }
    for (const problem of ["missing", "not-growing"] as const) {
      expect(measuredOf(known, request, ignored(problem), false)).toMatchObject({ ...known, report: problem })
    }
  })

  it("comes back to what is usual while reports cannot be true", () => {
    let measured = measuredOf(known, { ...request, reported: 20 }, ignored("too-few"), true)
    expect(measured).toMatchObject({ report: "too-few", reported: 20, ignored: 1, samples: 3 })
    for (let step = 0; step < 10; step++) measured = measuredOf(measured, request, ignored("too-many"), true)
    expect(measured.bytesPerToken).toBeCloseTo(4, 1)
    expect(measured.ignored).toBe(11)
  })
})
