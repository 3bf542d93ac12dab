import type { MediaLimits, ModelInfo, Prices } from "@pawl/core/provider"
import { defaultModelInfo } from "@pawl/provider-http"
import { effortVariants, isReasoning } from "./efforts.ts"

type Cost = ModelInfo["cost"]

const wide: ModelInfo["limit"] = { context: 1_050_000, input: 922_000, output: 128_000 }
const narrow: ModelInfo["limit"] = { context: 400_000, input: 272_000, output: 128_000 }
const media: MediaLimits = { requestBytes: 50 * 1024 * 1024 }

/**
 * OpenAI's models as its model and pricing pages describe them (October 2026). Reasoning efforts as in `@ai-sdk/openai`
 * 4.0.118. 0 = free or unknown.
 */
export const openaiModels: readonly ModelInfo[] = [
  gpt("gpt-6.2-sol", "GPT-6.2 Sol", wide, tiered(2, 10, 0.1, 2.5)),
  gpt("gpt-6.1-sol", "GPT-6.1 Sol", wide, tiered(2, 10, 0.1, 2.5)),
  gpt("gpt-6-astra", "GPT-6 Astra", wide, tiered(10, 50, 1, 12.5)),
  gpt("gpt-6-sol", "GPT-6 Sol", wide, tiered(2, 10, 0.2, 2.5)),
  gpt("gpt-6-luna", "GPT-6 Luna", wide, prices(0.1, 0.5, 0, 0)),
  gpt("gpt-5.5", "GPT-5.5", wide, tiered(5, 30, 0.5, 0)),
  gpt("gpt-5.4", "GPT-5.4", wide, tiered(2.5, 15, 0.25, 0)),
  gpt("gpt-5.1", "GPT-5.1", narrow, prices(1.25, 10, 0.125, 0)),
  gpt("gpt-5", "GPT-5", narrow, prices(1.25, 10, 0.125, 0)),
  gpt("gpt-5-mini", "GPT-5 mini", narrow, prices(0.25, 2, 0.025, 0)),
  gpt("gpt-4.1", "GPT-4.1", { context: 1_047_576, output: 32_768 }, prices(2, 8, 0.5, 0)),
]

/** Assumes the abilities of the model's family, without limits and prices. */
export function unknownModel(id: string): ModelInfo {
  const { limit, cost } = defaultModelInfo(id)
  return gpt(id, id, limit, cost)
}

function gpt(id: string, name: string, limit: ModelInfo["limit"], cost: Cost): ModelInfo {
  const reasoning = isReasoning(id)
  return {
    id,
    name,
    limit,
    cost,
    capabilities: {
      reasoning,
      attachment: true,
      toolCall: true,
      temperature: !reasoning,
      structuredOutput: true,
      input: ["text", "image", "pdf"],
    },
    promptFamily: "openai",
    ...(reasoning && { variants: effortVariants(id) }),
    media,
  }
}

/** Above 272,000 tokens input costs twice as much, output one and a half times. */
function tiered(input: number, output: number, cacheRead: number, cacheWrite: number): Cost {
  const long = prices(input * 2, output * 1.5, cacheRead * 2, cacheWrite * 2)
  return { ...prices(input, output, cacheRead, cacheWrite), tiers: [{ above: 272_000, ...long }] }
}

function prices(input: number, output: number, cacheRead: number, cacheWrite: number): Prices {
  return { input, output, cacheRead, cacheWrite }
}
