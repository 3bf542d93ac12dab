import { allTokens, type MessageWithParts, type Part } from "@pawl/core/record"
import { expect, it } from "vitest"
import { ASPECTS, createUsageTable, NO_TOOL } from "./usage.ts"

let parts = 0

/** Returns a part of `ses_1` with an id of its own. */
function part(content: object) {
  return { id: `prt_${++parts}`, sessionID: "ses_1", messageID: "msg_1", ...content } as unknown as Part
}

const tokens = { input: 100, output: 20, reasoning: 4, cache: { read: 1000, write: 10 } }

function step(changes: object, tools: readonly string[] = []): MessageWithParts {
  const info = { role: "assistant", providerID: "local", modelID: "m", agent: "build", cost: 0.3, tokens, ...changes }
  const calls = tools.map((tool, at) => {
    const state = { status: tool === "edit" ? "error" : "completed", time: { start: 0, end: 10 * (at + 1) } }
    return part({ type: "tool", tool, callID: tool, state })
  })
  return { info: { time: { created: 0 }, ...info }, parts: calls } as unknown as MessageWithParts
}

const names = { day: (time: number) => `day ${time}`, hour: (time: number) => `hour ${time}` }
const at = (directory: string, id = "ses_1") => ({ directory, root: { id: id as `ses_${string}`, title: "Work" } })

it("sums up to the same whatever it is sorted by", () => {
  const table = createUsageTable(names)
  table.add(step({ time: { created: 2 } }, ["read", "read", "edit"]), at("/a"))
  table.add(step({ time: { created: 1 }, modelID: "big", cost: 2 }), at("/b"))
  table.add(step({ agent: "explore", cost: 0 }, ["grep"]), at("/a"))

  const total = table.total()
  expect(total).toMatchObject({ steps: 3, calls: 4, failed: 1, cost: 2.3, time: 70 })
  for (const aspect of ASPECTS) {
    const rows = table.rows(aspect)
    expect(rows.reduce((all, { cost }) => all + cost, 0)).toBeCloseTo(total.cost, 10)
    expect(rows.reduce((all, row) => all + allTokens(row.tokens), 0)).toBeCloseTo(allTokens(total.tokens), 6)
    expect(rows.reduce((all, { steps }) => all + steps, 0)).toBeCloseTo(3, 10)
    expect(rows.reduce((all, { calls }) => all + calls, 0)).toBe(4)
    expect(rows.reduce((all, { requests }) => all + requests, 0)).toBeCloseTo(3, 10)
  }
})

it("puts the dearest first, days in their order, and shares a step's cost among its calls", () => {
  const table = createUsageTable(names)
  table.add(step({ time: { created: 2 }, cost: 1 }, ["read", "edit"]), at("/a"))
  table.add(step({ time: { created: 1 }, modelID: "big", cost: 2 }), at("/b"))

  expect(table.rows("day").map(({ name }) => name)).toEqual(["day 1", "day 2"])
  expect(table.rows("model").map(({ name }) => name)).toEqual(["local/big", "local/m"])
  expect(table.rows("tool").map(({ name, cost, failed }) => [name, cost, failed])).toEqual([
    [NO_TOOL, 2, 0],
    ["read", 0.5, 0],
    ["edit", 0.5, 1],
  ])
})

it("has nothing of nothing, and counts no message of a user", () => {
  const table = createUsageTable(names)
  table.add(step({ role: "user" }), at("/a"))

  expect(table.total()).toMatchObject({ steps: 0, cost: 0 })
  expect(table.rows("day")).toEqual([])
})

it("counts a copy where it comes from, and what was asked besides under its own name", () => {
  const table = createUsageTable(names)
  table.add(step({}), at("/a"))
  table.add(step({ copyOf: "msg_1" }, ["read"]), at("/a", "ses_2"))
  const asked = { providerID: "local", modelID: "tiny", requests: 1, tokens, cost: 0.1 }
  const title = part({ type: "usage", purpose: "title", agent: "title", ...asked })
  table.add({ info: { role: "user", time: { created: 0 } }, parts: [title] } as never, at("/a"))

  expect(table.total()).toMatchObject({ steps: 1, requests: 2, calls: 0, cost: expect.closeTo(0.4, 9) })
  expect(table.rows("agent").map(({ name, cost }) => [name, cost])).toEqual([
    ["build", 0.3],
    ["title", 0.1],
  ])
  expect(table.rows("model").map(({ name }) => name)).toEqual(["local/m", "local/tiny"])
  expect(table.rows("session")).toMatchObject([{ name: "ses_1", title: "Work", requests: 2 }])
})

it("gives a call what it had the model say, and tells what failed attempts cost", () => {
  const table = createUsageTable(names)
  const message = step({ requests: 3, cost: 0.6, estimated: { tokens: 5, cost: 0.1 } }, ["read", "grep"])
  const asked = { providerID: "local", modelID: "m", agent: "build", requests: 1, tokens, cost: 0.2 }
  const extra = [
    part({ type: "usage", purpose: "tool", callID: "grep", ...asked }),
    part({ type: "retry", attempt: 1, cost: 0.1, tokens }),
  ]
  table.add({ ...message, parts: [...message.parts, ...extra] }, at("/a"))

  const costs = Object.fromEntries(table.rows("tool").map(({ name, cost }) => [name, cost]))
  expect(costs["read"]).toBeCloseTo(0.2, 9)
  expect(costs["grep"]).toBeCloseTo(0.4, 9)
  expect(table.total()).toMatchObject({ requests: 3, cost: 0.6, retries: 0.1, estimated: 0.1 })
})

it("counts only what is meant", () => {
  const table = createUsageTable({ ...names, isMeant: ({ model }) => model === "local/big" })
  table.add(step({ cost: 1 }, ["read"]), at("/a"))
  table.add(step({ modelID: "big", cost: 2 }), at("/a"))

  expect(table.total()).toMatchObject({ steps: 1, cost: 2 })
  expect(table.rows("tool").map(({ name }) => name)).toEqual([NO_TOOL])
})

it("takes what was imported with less than nothing for nothing, by all names", () => {
  const table = createUsageTable(names)
  table.add(step({ cost: -5, tokens: { ...tokens, input: -1e9 } }, ["read"]), at("/a"))
  const usage = { type: "usage", purpose: "title", agent: "title", providerID: "local", modelID: "m", cost: -1, tokens }
  const parts = [part({ ...usage, requests: 1 })]
  table.add({ info: { role: "user", time: { created: 0 } }, parts } as unknown as MessageWithParts, at("/a"))
  expect(table.total()).toMatchObject({ cost: 0, tokens: { input: 100 } })
  for (const aspect of ASPECTS) expect(table.rows(aspect).every(({ cost }) => cost === 0)).toBe(true)
})
