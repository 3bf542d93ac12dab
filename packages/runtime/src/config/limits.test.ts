import { expect, it } from "vitest"
import { configuredLimits } from "./limits.ts"

it("takes what stands by itself for a run's, and what stands under run before it", () => {
  expect(configuredLimits({ steps: 3, cost: 1, deadline_ms: 0 })).toEqual({ steps: 3, cost: 1 })
  expect(configuredLimits({ cost: 1, tokens: 9, run: { cost: 2, deadline_ms: 5 } })).toEqual({
    ...{ cost: 2, tokens: 9, deadline: 5 },
  })
})

it("gives wholes and steps limits of their own", () => {
  const day = { cost: 5, of: "project" } as const
  expect(configuredLimits({ step: { requests: 2 }, session: { tokens: 9, time_ms: 0 }, day })).toEqual({
    ...{ step: { requests: 2 }, session: { tokens: 9 }, day: { cost: 5, of: "project" } },
  })
  expect(configuredLimits({ day: { time_ms: 60_000 } })).toEqual({ day: { time: 60_000 } })
})
