import type { MessageWithParts } from "@pawl/core"
import { expect, it } from "vitest"
import { part } from "../../test/parts.ts"
import { allTokens, createUsageTable, NO_TOOL } from "./usage.ts"

const tokens = { input: 100, output: 20, reasoning: 4, cache: { read: 1000, write: 10 } }

function step(changes: object, tools: readonly string[] = []): MessageWithParts {
  const info = { role: "assistant", providerID: "local", modelID: "m", agent: "build", cost: 0.3, tokens, ...changes }
  const calls = tools.map((tool, at) => {
    const state = { status: tool === "edit" ? "error" : "completed", time: { start: 0, end: 10 * (at + 1) } }
    return part({ type: "tool", tool, callID: tool, state } as never)
  })
  return { info: { time: { created: 0 }, ...info }, parts: calls } as unknown as MessageWithParts
}

const dayOf = (time: number) => `day ${time}`

it("sums up to the same whatever it is sorted by", () => {
  const table = createUsageTable(dayOf)
  table.add(step({ time: { created: 2 } }, ["read", "read", "edit"]), { directory: "/a" })
  table.add(step({ time: { created: 1 }, modelID: "big", cost: 2 }), { directory: "/b" })
  table.add(step({ agent: "explore", cost: 0 }, ["grep"]), { directory: "/a" })

  const total = table.total()
  expect(total).toMatchObject({ steps: 3, calls: 4, failed: 1, cost: 2.3, time: 70 })
  for (const aspect of ["day", "model", "agent", "tool", "project"] as const) {
    const rows = table.rows(aspect)
    expect(rows.reduce((all, { cost }) => all + cost, 0)).toBeCloseTo(total.cost, 10)
    expect(rows.reduce((all, row) => all + allTokens(row.tokens), 0)).toBeCloseTo(allTokens(total.tokens), 6)
    expect(rows.reduce((all, { steps }) => all + steps, 0)).toBeCloseTo(3, 10)
    expect(rows.reduce((all, { calls }) => all + calls, 0)).toBe(4)
  }
})

it("puts the dearest first, days in their order, and shares a step's cost among its calls", () => {
  const table = createUsageTable(dayOf)
  table.add(step({ time: { created: 2 }, cost: 1 }, ["read", "edit"]), { directory: "/a" })
  table.add(step({ time: { created: 1 }, modelID: "big", cost: 2 }), { directory: "/b" })

  expect(table.rows("day").map(({ name }) => name)).toEqual(["day 1", "day 2"])
  expect(table.rows("model").map(({ name }) => name)).toEqual(["local/big", "local/m"])
  expect(table.rows("tool").map(({ name, cost, failed }) => [name, cost, failed])).toEqual([
    [NO_TOOL, 2, 0],
    ["read", 0.5, 0],
    ["edit", 0.5, 1],
  ])
})

it("has nothing of nothing, and counts no message of a user", () => {
  const table = createUsageTable(dayOf)
  table.add(step({ role: "user" }), { directory: "/a" })

  expect(table.total()).toMatchObject({ steps: 0, cost: 0 })
  expect(table.rows("day")).toEqual([])
})
