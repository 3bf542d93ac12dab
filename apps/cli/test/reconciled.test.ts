import { createEngine, type Engine, type RunResult, type SessionID } from "@pawl/core"
import { cost, type ModelInfo } from "@pawl/core/provider"
import { addTokens, allTokens, noTokens, type Tokens } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import { defineTool, type Tool, type ToolContext } from "@pawl/core/tool"
import {
  call,
  contextOverflow,
  cut,
  httpError,
  modelServer,
  quotaExhausted,
  type RecordedRequest,
  reply,
  type Reply,
  stall,
  text,
  usage,
} from "@pawl/model-server"
import { openAICompatible } from "@pawl/provider-openai-compatible"
import { memoryStorage } from "@pawl/storage-memory"
import { expect, it } from "vitest"
import { readUsage } from "@pawl/reports/usage/read-usage"
import { ASPECTS, createUsageTable, type UsageTable } from "@pawl/reports/usage/usage"
import { localDay, localHour } from "@pawl/reports/usage/days"
import { temporaryDirectory } from "./host.ts"

// What the storage says was spent, by whatever it is sorted, is what the server says it billed.

const prices = {
  big: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, tiers: [tier(2000)] },
  other: { input: 1.1, output: 4.4, cacheRead: 0.275, cacheWrite: 0 },
  small: { input: 0.1, output: 0.4, cacheRead: 0.025, cacheWrite: 0 },
} satisfies Record<string, ModelInfo["cost"]>
type ModelID = keyof typeof prices

function tier(above: number) {
  return { above, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 }
}

/** The same numbers for the same seed: 0 to 1. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

/** Bytes of a request that is large enough for its report to be doubted. */
const LARGE_REQUEST = 5500

interface Billed {
  readonly tokens: Tokens
  readonly cost: number
}

/** A model that answers, calls, fails, breaks off and says what it takes, all by chance. */
function createBiller(chance: () => number, onStall: () => void) {
  const bills = new Map<ModelID, Billed>()
  let [calls, stalls] = [0, 0]

  /** `size`: bytes of the request. */
  function billed(model: ModelID, size: number) {
    const [share, outputTokens] = [chance(), 1 + Math.floor(chance() * 500)]
    const inputTokens = Math.floor(size * (0.2 + share * 0.3))
    const cachedTokens = chance() < 0.5 ? Math.floor(chance() * inputTokens) : 0
    const reasoningTokens = Math.floor(chance() * outputTokens)
    const tokens: Tokens = {
      ...{ input: inputTokens - cachedTokens, output: outputTokens - reasoningTokens, reasoning: reasoningTokens },
      cache: { read: cachedTokens, write: 0 },
    }
    // Nobody believes this, so it is no bill.
    if (size > LARGE_REQUEST && share > 0.8) return usage({ inputTokens: size * 50, outputTokens })
    const before = bills.get(model) ?? { tokens: noTokens, cost: 0 }
    const paid = before.cost + cost(tokens, prices[model])
    bills.set(model, { tokens: addTokens(before.tokens, tokens), cost: paid })
    return usage({ inputTokens, outputTokens, cachedTokens, reasoningTokens })
  }

  function answer({ body }: RecordedRequest): Reply {
    const { model, tools = [], messages } = body as { model: ModelID; tools?: object[]; messages: object[] }
    const size = Buffer.byteLength(JSON.stringify(body))
    const luck = chance()
    if (luck < 0.06) return httpError(503)
    if (luck < 0.12) return reply(text("x".repeat(Math.floor(chance() * 4000))), cut())
    if (luck < 0.14 && model === "big") return quotaExhausted()
    if (luck < 0.16 && messages.length > 4) return contextOverflow()
    if (luck < 0.17 && tools.length > 0 && stalls++ < 1) {
      onStall()
      return reply(text("Wait"), stall())
    }
    if (tools.length === 0 || luck > 0.6) return reply(text("Done."), billed(model, size))
    const names = ["look", "look", "wonder", "delegate"].filter(() => chance() < 0.5)
    if (names.length === 0) return reply(text("Nothing to do."), billed(model, size))
    return reply(...names.map((name) => call(name, { n: ++calls })), billed(model, size))
  }
  return { answer, bills }
}

function tool(name: string, execute: (context: ToolContext) => Promise<string>): Tool {
  return defineTool({
    ...{ name, description: name, inputSchema: { type: "object", properties: {} }, effect: "pure" as const },
    parse: (input) => input,
    execute: async (_input, context) => ({ title: name, output: await execute(context) }),
  })
}

const tools = [
  tool("look", async () => "ok ".repeat(700)),
  tool("wonder", async (context) => {
    return (await context.generate({ messages: [{ role: "user", content: [{ type: "text", text: "Well?" }] }] })).text
  }),
  tool("delegate", async (context) => {
    return (await context.delegate({ description: "Part", prompt: "Do a part.", agent: "general" })).text
  }),
]

/** Milliseconds between two looks. Without a further request twice, all that was beside the stalled one has come to its end. */
const QUIET = 200

/** A tree of sessions by chance: prompts, forks, compactions. `turns` is told of each session that is asked. */
async function work(
  engine: Engine,
  { directory, chance, turns }: { directory: string; chance: () => number; turns: (id: SessionID) => void },
): Promise<void> {
  const sessions: SessionID[] = [(await engine.createSession({ directory })).id]
  for (let turn = 0; turn < 8; turn++) {
    const sessionID = sessions[Math.floor(chance() * sessions.length)] as SessionID
    const parts = [{ type: "text", text: `Turn ${turn}` } as const]
    turns(sessionID)
    await engine.prompt({ sessionID, parts, limits: { steps: 6 } }).catch(() => undefined)
    const luck = chance()
    if (luck < 0.3) sessions.push((await engine.forkSession({ sessionID })).id)
    else if (luck < 0.5) await engine.compact(sessionID).catch(() => undefined)
    else if (luck < 0.6) sessions.push((await engine.createSession({ directory })).id)
  }
}

async function usageOf(storage: Storage): Promise<UsageTable> {
  const table = createUsageTable({ day: localDay, hour: localHour })
  const signal = new AbortController().signal
  await readUsage(storage, { since: 0 }, table, { signal, onProgress: () => undefined })
  return table
}

/** 0.01 %. */
function expectSame(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(Math.max(1e-12, expected * 1e-4))
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])("bills agree with the server's, by all names (%i)", async (seed) => {
  const chance = random(seed)
  let asked: SessionID | undefined
  const { answer, bills } = createBiller(chance, () => {
    let [before, quiet] = [0, 0]
    const timer = setInterval(() => {
      const { length } = server.requests
      quiet = length === before ? quiet + 1 : 0
      before = length
      if (quiet < 2) return
      clearInterval(timer)
      if (asked) void engine.abort(asked)
    }, QUIET)
  })
  const server = await modelServer({ replies: answer })
  const models = (Object.keys(prices) as ModelID[]).map((id) => ({
    ...{ id, limit: { context: 100_000, output: 4000 }, cost: prices[id] },
    capabilities: { toolCall: true },
  }))
  const storage = memoryStorage()
  const engine = await createEngine({
    ...{ storage, tools, random: () => 0, retry: { delay: 1 } },
    providers: [openAICompatible({ id: "acme", baseURL: server.url, models })],
    model: { providerID: "acme", modelID: "big" },
    titleModel: { providerID: "acme", modelID: "small" },
    fallback: [{ providerID: "acme", modelID: "other" }],
    limits: { day: { cost: 1e9 } },
  })
  const today: RunResult[] = []
  try {
    const directory = await temporaryDirectory()
    await work(engine, { directory, chance, turns: (id) => (asked = id) })
    const { id } = await engine.createSession({ directory, title: "Ask what was spent" })
    for (const day of [{ cost: 1e-12 }, { requests: 1 }])
      today.push(await engine.prompt({ sessionID: id, parts: [{ type: "text", text: "?" }], limits: { day } }))
  } finally {
    await engine.close()
    await server.close()
  }

  const table = await usageOf(storage)
  const total = table.total()
  expect(total.requests).toBe(server.requests.length)
  const all = [...bills.values()].reduce(
    (sum, { tokens, cost: paid }) => {
      return { tokens: sum.tokens + allTokens(tokens), cost: sum.cost + paid }
    },
    { tokens: 0, cost: 0 },
  )
  expectSame(total.cost - total.estimated, all.cost)
  expect(today).toMatchObject([
    { type: "cost-spent", scope: "day", cost: expect.closeTo(total.cost, 9) as number },
    { type: "requests-spent", scope: "day", requests: total.requests },
  ])
  for (const aspect of ASPECTS) {
    const rows = table.rows(aspect)
    expectSame(
      rows.reduce((sum, row) => sum + row.cost, 0),
      total.cost,
    )
    expectSame(
      rows.reduce((sum, row) => sum + allTokens(row.tokens), 0),
      allTokens(total.tokens),
    )
    expectSame(
      rows.reduce((sum, row) => sum + row.requests, 0),
      total.requests,
    )
    expectSame(
      rows.reduce((sum, row) => sum + row.estimated, 0),
      total.estimated,
    )
  }
  for (const [model, { cost: paid }] of bills) {
    const row = table.rows("model").find(({ name }) => name === `acme/${model}`)
    expectSame((row?.cost ?? 0) - (row?.estimated ?? 0), paid)
  }
})
