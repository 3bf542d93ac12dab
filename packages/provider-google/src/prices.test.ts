import { cost, type ModelEvent, type Tokens } from "@pawl/core/provider"
import { modelServer, reply, text, usage } from "@pawl/model-server"
import { sampleRequest } from "@pawl/provider-testkit"
import { expect, it } from "vitest"
import { google } from "./google.ts"

/** What the API is scripted to have counted; all input, and all output, together. */
type Counted = Parameters<typeof usage>[0]

async function paid(modelID: string, counted: Counted, options: object = {}): Promise<number> {
  await using server = await modelServer({ replies: [reply(text("Hi"), usage(counted))] })
  const model = await google({ baseURL: `${server.origin}/v1beta`, apiKey: "k", ...options }).model(modelID)
  let used: Tokens | undefined
  for await (const event of model.stream(sampleRequest(), new AbortController().signal)) used = usageOf(event) ?? used
  return cost(used ?? expect.fail(), model.info.cost)
}

function usageOf(event: ModelEvent): Tokens | undefined {
  return event.type === "finish" ? event.usage : undefined
}

it.each<[string, string, Counted, number]>([
  ["input and output", "gemini-2.5-flash", { inputTokens: 100_000, outputTokens: 10_000 }, 0.03 + 0.025],
  [
    "thoughts as output, once",
    "gemini-2.5-flash",
    { inputTokens: 100_000, outputTokens: 10_000, reasoningTokens: 6_000 },
    0.03 + 0.025,
  ],
  [
    "cached input for a tenth",
    "gemini-2.5-flash",
    { inputTokens: 100_000, cachedTokens: 90_000, outputTokens: 0 },
    0.003 + 0.0027,
  ],
  ["a request as long as a tier", "gemini-2.5-pro", { inputTokens: 200_000, outputTokens: 0 }, 0.25],
  ["a request above a tier, all of it", "gemini-2.5-pro", { inputTokens: 200_001, outputTokens: 1_000 }, 0.5150025],
])("bills %s", async (_what, modelID, counted, dollars) => {
  expect(await paid(modelID, counted)).toBeCloseTo(dollars, 9)
})
