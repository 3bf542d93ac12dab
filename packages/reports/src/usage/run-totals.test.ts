import type { Part } from "@pawl/core/record"
import { expect, it } from "vitest"
import { noTotals, withPart, withSubagentPart } from "./run-totals.ts"

function part(content: object): Part {
  return { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", ...content } as object as Part
}

const tokens = { input: 10, output: 2, reasoning: 0, cache: { read: 0, write: 0 } }
const finish = part({ type: "step-finish", reason: "stop", cost: 0.5, tokens })

it("count what a summary cost, and not as a step", () => {
  const totals = withPart(withPart(noTotals, finish), finish, true)
  expect(totals).toMatchObject({ steps: 1, cost: 1, tokens: { input: 20, output: 4 } })
})

it("count what failed attempts and titles took, and are no steps", () => {
  const retry = part({ type: "retry", attempt: 1, cost: 0.25, tokens })
  const title = part({ type: "usage", purpose: "title", cost: 0.125, tokens })
  const totals = withPart(withPart(withPart(noTotals, retry), title), part({ type: "retry", attempt: 2 }))
  expect(totals).toMatchObject({ steps: 0, cost: 0.375, retries: 0.25, tokens: { input: 20 } })
})

it("have what subagents cost, and their steps apart", () => {
  const totals = withSubagentPart(withPart(noTotals, finish), finish)
  expect(totals).toMatchObject({ steps: 1, cost: 1, tokens: { input: 20 }, subagents: { steps: 1, calls: 0 } })
})
