import { cost, type ModelEvent, type Tokens } from "@pawl/core/provider"
import { modelServer, reply, text, usage } from "@pawl/model-server"
import { sampleRequest } from "@pawl/provider-testkit"
import { expect, it } from "vitest"
import { openai } from "./openai.ts"

/** What the API is scripted to have counted; all input, and all output, together. */
type Counted = Parameters<typeof usage>[0]

async function paid(modelID: string, counted: Counted, options: object = {}): Promise<number> {
  await using server = await modelServer({ replies: [reply(text("Hi"), usage(counted))] })
  const model = await openai({ baseURL: server.url, apiKey: "k", ...options }).model(modelID)
  let used: Tokens | undefined
  for await (const event of model.stream(sampleRequest(), new AbortController().signal)) used = usageOf(event) ?? used
  return cost(used ?? expect.fail(), model.info.cost)
}

function usageOf(event: ModelEvent): Tokens | undefined {
  return event.type === "finish" ? event.usage : undefined
}

it.each<[string, string, Counted, number]>([
  ["input and output", "gpt-5.1", { inputTokens: 100_000, outputTokens: 10_000 }, 0.125 + 0.1],
  [
    "reasoning as output, once",
    "gpt-5.1",
    { inputTokens: 100_000, outputTokens: 10_000, reasoningTokens: 8_000 },
    0.125 + 0.1,
  ],
  [
    "cached input for a tenth",
    "gpt-5.1",
    { inputTokens: 100_000, cachedTokens: 80_000, outputTokens: 0 },
    0.025 + 0.01,
  ],
  [
    "a request above a tier, all of it",
    "gpt-5.4",
    { inputTokens: 300_000, cachedTokens: 200_000, outputTokens: 10_000 },
    0.5 + 0.1 + 0.225,
  ],
  ["a request as long as a tier", "gpt-5.4", { inputTokens: 272_000, outputTokens: 0 }, 0.68],
])("bills %s", async (_what, modelID, counted, dollars) => {
  expect(await paid(modelID, counted)).toBeCloseTo(dollars, 9)
})
