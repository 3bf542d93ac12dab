import { expect, it } from "vitest"
import { noTotals } from "@pawl/reports/usage/run-totals"
import { summaryLines } from "./summary.ts"
import { createTheme } from "./theme.ts"

const plain = createTheme(false)
const facts = {
  totals: {
    steps: 3,
    calls: 1,
    tokens: { input: 1000, output: 200, reasoning: 50, cache: { read: 11_000, write: 400 } },
    cost: 0.0123,
    retries: 0,
    subagents: { steps: 0, calls: 0 },
  },
  took: 12_400,
  sessionID: "ses_1",
  location: "sqlite:/data/pawl.db",
  model: "custom/test",
  next: 'pawl run -c "…"',
}

it("says what it took, where the session is and how to go on", () => {
  expect(summaryLines(facts, 100, plain)).toEqual([
    "3 steps · 1 tool call · 12.4k tokens in (11.0k cached), 250 out · $0.0123 · 12s · custom/test",
    "session ses_1 in sqlite:/data/pawl.db",
    'go on: pawl run -c "…"',
  ])
})

it("breaks between figures where the terminal is narrow", () => {
  expect(summaryLines(facts, 40, plain)).toEqual([
    "3 steps · 1 tool call",
    "12.4k tokens in (11.0k cached), 250 out",
    "$0.0123 · 12s · custom/test",
    "session ses_1 in sqlite:/data/pawl.db",
    'go on: pawl run -c "…"',
  ])
})

it("does not pass off a price that nobody knows as none", () => {
  const totals = { ...facts.totals, cost: 0 }
  const first = (more: object) => summaryLines({ ...facts, totals, ...more }, 100, plain)[0]
  expect(first({ isPriceUnknown: true })).toContain("250 out · price unknown · 12s")
  expect(first({})).toContain("250 out · 12s")
  expect(first({ totals: facts.totals, isPriceUnknown: true })).toContain("$0.0123 · 12s")
  expect(first({ totals: noTotals, isPriceUnknown: true })).not.toContain("price")
})

it("says what subagents did", () => {
  const totals = { ...facts.totals, subagents: { steps: 2, calls: 1 } }

  expect(summaryLines({ ...facts, totals }, 100, plain)[0]).toContain("1 tool call · subagents: 2 steps, 1 call · ")
})

it("says what failed attempts had of the cost", () => {
  const totals = { ...facts.totals, retries: 0.002 }

  expect(summaryLines({ ...facts, totals }, 120, plain)[0]).toContain("$0.0123 ($0.0020 for failed attempts)")
})

it("leaves out what is not known", () => {
  const { next: _next, ...others } = facts

  expect(summaryLines({ ...others, totals: noTotals }, 100, plain)).toEqual([
    "12s · custom/test",
    "session ses_1 in sqlite:/data/pawl.db",
  ])
})

it("leaves the command uncoloured, so that it stands out", () => {
  expect(summaryLines(facts, 100, createTheme(true)).at(-1)).toBe('\u001B[2mgo on:\u001B[22m pawl run -c "…"')
})
