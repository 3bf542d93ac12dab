import { cost, type ModelEvent, type Tokens } from "@pawl/core/provider"
import { modelServer, reply, text, usage } from "@pawl/model-server"
import { sampleRequest } from "@pawl/provider-testkit"
import { expect, it } from "vitest"
import { anthropic } from "./anthropic.ts"

/** What the API is scripted to have counted; all input, and all output, together. */
type Counted = Parameters<typeof usage>[0]

async function paid(modelID: string, counted: Counted, options: object = {}): Promise<number> {
  await using server = await modelServer({ replies: [reply(text("Hi"), usage(counted))] })
  const model = await anthropic({ baseURL: server.url, apiKey: "k", ...options }).model(modelID)
  let used: Tokens | undefined
  for await (const event of model.stream(sampleRequest(), new AbortController().signal)) used = usageOf(event) ?? used
  return cost(used ?? expect.fail(), model.info.cost)
}

function usageOf(event: ModelEvent): Tokens | undefined {
  return event.type === "finish" ? event.usage : undefined
}

it.each<[string, string, Counted, object, number]>([
  ["input and output", "claude-opus-5", { inputTokens: 50_000, outputTokens: 15_000 }, {}, 0.25 + 0.375],
  [
    "what is read from the cache, for a tenth",
    "claude-opus-5",
    { inputTokens: 50_000, cachedTokens: 40_000, outputTokens: 15_000 },
    {},
    0.05 + 0.02 + 0.375,
  ],
  [
    "what is written to the cache for five minutes, for a quarter more",
    "claude-opus-5",
    { inputTokens: 100_000, cacheWriteTokens: 80_000, outputTokens: 0 },
    {},
    0.1 + 0.5,
  ],
  [
    "what is written to the cache for an hour, twice",
    "claude-opus-5",
    { inputTokens: 100_000, cacheWriteTokens: 80_000, outputTokens: 0 },
    { promptCache: "1h" },
    0.1 + 0.8,
  ],
  ["a request as long as a tier", "claude-haiku-5-5", { inputTokens: 100_000, outputTokens: 0 }, {}, 0.01],
  [
    "a request above a tier, what is cached counted with it",
    "claude-haiku-5-5",
    { inputTokens: 200_000, cachedTokens: 150_000, outputTokens: 1_000 },
    {},
    0.025 + 0.0075 + 0.0025,
  ],
  ["a model of which no price is known, with 0", "claude-new", { inputTokens: 1_000, outputTokens: 10 }, {}, 0],
])("bills %s", async (_what, modelID, counted, options, dollars) => {
  expect(await paid(modelID, counted, options)).toBeCloseTo(dollars, 9)
})
