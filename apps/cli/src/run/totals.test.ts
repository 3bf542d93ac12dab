import { expect, it } from "vitest"
import { part } from "../../test/parts.ts"
import { noTotals, withPart, withSubagentPart } from "./totals.ts"

const tokens = { input: 10, output: 2, reasoning: 0, cache: { read: 0, write: 0 } }
const finish = part({ type: "step-finish", reason: "stop", cost: 0.5, tokens })

it("count what a summary cost, and not as a step", () => {
  const totals = withPart(withPart(noTotals, finish), finish, true)
  expect(totals).toMatchObject({ steps: 1, cost: 1, tokens: { input: 20, output: 4 } })
})

it("have what subagents cost, and their steps apart", () => {
  const totals = withSubagentPart(withPart(noTotals, finish), finish)
  expect(totals).toMatchObject({ steps: 1, cost: 1, tokens: { input: 20 }, subagents: { steps: 1, calls: 0 } })
})
