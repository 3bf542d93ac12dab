import { describe, expect, it, vi } from "vitest"
import type { MessageID } from "../base/ids.ts"
import { noTokens } from "../record/tokens.ts"
import { type Budget, createBudget } from "./budget.ts"
import { type Estimate, estimateOf } from "../usage/estimate.ts"
import { isLimitReached } from "./limits.ts"

const price = { cost: { input: 1e6, output: 1e6, cacheRead: 0, cacheWrite: 0 } }
const signal = new AbortController().signal
const messageID = "msg_1" as MessageID

/** A dollar a token; at most `most` of them. */
function request(tokens: number, most: number): Estimate {
  return estimateOf({ expected: { tokens, margin: 0 }, maxOutput: most - tokens }, price)
}

/** Takes a request whenever it may; resolves with how many, and what each cost. */
async function worker(budget: Budget, draw: () => { sent: number; cost: number; most: number }): Promise<number[]> {
  const costs: number[] = []
  for (;;) {
    const { sent, cost, most } = draw()
    const asked = await budget.ask(() => request(sent, most), signal)
    if (isLimitReached(asked)) return costs
    await new Promise((resolve) => setTimeout(resolve, (cost * 7) % 3))
    asked.pay(messageID, { requests: 1, tokens: { ...noTokens, input: cost }, cost })
    asked.release()
    costs.push(cost)
  }
}

describe("requests beside each other", () => {
  it.each([1, 2, 3, 4, 5, 6])("lead beyond a limit by what one of them says at most (%i)", async (seed) => {
    let state = seed
    const chance = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
    const draw = () => {
      const sent = 1 + Math.floor(chance() * 10)
      const most = sent + 1 + Math.floor(chance() * 30)
      return { sent, most, cost: sent + Math.floor(chance() * (most - sent)) }
    }
    const above = createBudget({ cost: 200 })
    const budgets = [above, createBudget({}, { above }), createBudget({ tokens: 150 }, { above })]
    const costs = (await Promise.all([...budgets, ...budgets].map((budget) => worker(budget, draw)))).flat()
    const total = costs.reduce((sum, cost) => sum + cost, 0)
    expect(total - Math.max(...costs)).toBeLessThan(200)
    expect(total).toBeGreaterThan(150)
    for (const budget of budgets) budget.close()
  })

  it("wait for nobody as long as there is enough for all", async () => {
    const budget = createBudget({ cost: 1000 })
    const all = await Promise.all([1, 2, 3].map(() => budget.ask(() => request(10, 100), signal)))
    expect(all.map(({ type }) => type)).toEqual(["reserved", "reserved", "reserved"])
    budget.close()
  })

  it("stop waiting with their signal", async () => {
    const budget = createBudget({ cost: 100 })
    await budget.ask(() => request(10, 200), signal)
    const controller = new AbortController()
    const waiting = budget.ask(() => request(10, 200), controller.signal)
    controller.abort(new Error("Enough."))
    await expect(waiting).rejects.toThrow("Enough.")
    budget.close()
  })
})

it("takes what a conversation has in the provider's cache for cached", () => {
  const prices = { cost: { input: 10, output: 0, cacheRead: 1, cacheWrite: 12.5 } }
  const expected = { tokens: 1_500_000, margin: 0 }
  const cost = (cache: { read: number; write: number }) => {
    return estimateOf({ expected, last: { ...noTokens, input: 1_000_000 - cache.read - cache.write, cache } }, prices)
      .cost
  }
  expect(cost({ read: 0, write: 0 })).toBeCloseTo(15, 9)
  expect(cost({ read: 500_000, write: 0 })).toBeCloseTo(1 + 5, 9)
  expect(cost({ read: 0, write: 500_000 })).toBeCloseTo(1 + 6.25, 9)
})

it("reads and sums no usage without a limit, also of a run that works for such a run", async () => {
  const read = vi.fn()
  const watched = <T extends object>(value: T) => new Proxy(value, { get: (...of) => (read(), Reflect.get(...of)) })
  const spent = watched({ requests: 1, tokens: noTokens, cost: 1 })
  const info = watched({ id: "big", cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } })
  const above = createBudget({})
  for (const budget of [above, createBudget({ step: {} }, { above, shared: [] })]) {
    const endStep = budget.beginStep()
    expect(budget.reached()).toBeUndefined()
    const permit = await budget.enter(signal)
    budget.isUnpriced(info)
    const asked = await budget.ask(() => (read(), request(10, 100)), signal)
    if (isLimitReached(asked) || isLimitReached(permit)) throw new Error("There is no limit.")
    asked.pay(messageID, spent)
    asked.release()
    permit.answered()
    endStep()
    budget.close()
  }
  expect(read).not.toHaveBeenCalled()
})
