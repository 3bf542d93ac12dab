import { describe, expect, it } from "vitest"
import type { Judgement, ReportProblem } from "../measure/judge-report.ts"
import { noTokens } from "../record/tokens.ts"
import { billOf, type CompletedAnswer } from "./answer-bill.ts"

const model = {
  cost: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 },
  limit: { context: 100_000, output: 4000 },
}
const believed: Judgement = { type: "believed", by: "size", basis: { bytes: 40_000, tokens: 10_000 } }
const ignored = (problem: ReportProblem): Judgement => ({ type: "ignored", problem, basis: undefined })
const estimate = () => ({ input: { ...noTokens, input: 1000, cache: { read: 9000, write: 0 } } })
const answer: CompletedAnswer = {
  ...{ reported: { ...noTokens, input: 500, output: 100, reasoning: 20 }, judgement: believed },
  ...{ bytes: 40_000, estimate, received: 400 },
}

describe("billOf", () => {
  it("is what the provider reports", () => {
    expect(billOf(answer, model)).toEqual({ requests: 1, tokens: answer.reported, cost: 1700 / 1e6 })
  })

  it.each(["too-few", "too-many"] as const)(
    "estimates the input where the report has %s tokens, and says so",
    (problem) => {
      expect(billOf({ ...answer, judgement: ignored(problem) }, model)).toEqual({
        requests: 1,
        tokens: { input: 1000, output: 100, reasoning: 20, cache: { read: 9000, write: 0 } },
        cost: 3100 / 1e6,
        estimated: { tokens: 10_120, cost: 3100 / 1e6 },
      })
    },
  )

  it("estimates all of an answer that is not reported", () => {
    const bill = billOf({ ...answer, reported: noTokens, judgement: ignored("missing") }, model)
    expect(bill).toMatchObject({ tokens: { ...estimate().input, output: 100 }, estimated: { tokens: 10_100 } })
  })

  it("follows a server that has read less than it was sent", () => {
    expect(billOf({ ...answer, judgement: ignored("not-growing") }, model)).not.toHaveProperty("estimated")
  })

  it("follows every report of a short request", () => {
    const bill = billOf({ ...answer, bytes: 4000, judgement: ignored("too-few") }, model)
    expect(bill).toEqual({ requests: 1, tokens: answer.reported, cost: 1700 / 1e6 })
  })

  it("estimates an answer of more tokens than a model can write", () => {
    const reported = { ...noTokens, input: 10_000, output: 1e12 }
    expect(billOf({ ...answer, reported }, model)).toMatchObject({
      tokens: { input: 10_000, output: 100, reasoning: 0 },
      estimated: { tokens: 10_100 },
    })
    expect(billOf({ ...answer, reported: { ...reported, output: 150_000 } }, model)).not.toHaveProperty("estimated")
  })
})
