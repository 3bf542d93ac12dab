import { expect, it } from "vitest"
import { UsageError } from "../arguments/usage-error.ts"
import { command } from "../commands/run.ts"
import { limitsOf } from "./limits.ts"

it("reads limits of time, steps and cost, each by itself", () => {
  expect(limitsOf({})).toBeUndefined()
  expect(limitsOf({ deadline: "30s" })).toEqual({ deadline: 30_000 })
  expect(limitsOf({ deadline: "5m", "max-steps": "12", "max-cost": "$0.50" })).toEqual({
    ...{ deadline: 300_000, steps: 12, cost: 0.5 },
  })
})

it("reads tokens with their multiples, and requests", () => {
  expect(limitsOf({ "max-tokens": "200k", "max-requests": "7" })).toEqual({ tokens: 200_000, requests: 7 })
  expect(limitsOf({ "max-tokens": "1.5M" })).toEqual({ tokens: 1_500_000 })
  expect(limitsOf({ "max-tokens": "50000" })).toEqual({ tokens: 50_000 })
})

it.each([
  { "max-tokens": "0k" },
  { "max-tokens": "2m" },
  { "max-requests": "0" },
  { deadline: "0" },
  { deadline: "soon" },
  { "max-steps": "0" },
  { "max-steps": "1.5" },
  { "max-cost": "0" },
  { "max-cost": "-1" },
  { "max-cost": "2 euros" },
])("refuses %j", (given) => {
  expect(() => limitsOf(given)).toThrow(UsageError)
})

it.each(["5", "0", "soon"])("refuses the deadline %j with the examples of its help", (deadline) => {
  const examples = "such as 30s, 5m or 1h"

  expect(() => limitsOf({ deadline })).toThrow(
    `invalid value "${deadline}" for --deadline: expected a time ${examples}`,
  )
  expect(command.options.deadline.summary).toContain(examples)
})
