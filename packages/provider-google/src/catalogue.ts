import type { MediaLimits, ModelInfo, Prices } from "@pawl/core/provider"
import { defaultModelInfo } from "@pawl/provider-http"
import { thinkingVariants } from "./thinking.ts"

const limit: ModelInfo["limit"] = { context: 1_048_576, output: 65_536 }
const media: MediaLimits = { requestBytes: 20 * 1024 * 1024, imagesPerRequest: 3600, pdfPages: 1000 }

/**
 * Gemini models as Google's model and pricing pages describe them (October 2026), for text. Writing to the cache costs
 * nothing with Google's implicit caching. 0 = free or unknown.
 */
export const geminiModels: readonly ModelInfo[] = [
  // From December 2026; half of it before.
  gemini("gemini-4-argon", "Gemini 4 Argon", prices(4, 20, 0.2)),
  // Until the end of 2026; twice as much afterwards.
  gemini("gemini-3.8-flash", "Gemini 3.8 Flash", prices(0.75, 3.75, 0.075)),
  gemini("gemini-3.5-flash", "Gemini 3.5 Flash", prices(1.5, 9, 0.15)),
  gemini("gemini-3.1-pro-preview", "Gemini 3.1 Pro Preview", {
    ...prices(2, 12, 0.2),
    tiers: [{ above: 200_000, ...prices(4, 18, 0.4) }],
  }),
  gemini("gemini-2.5-pro", "Gemini 2.5 Pro", {
    ...prices(1.25, 10, 0.125),
    tiers: [{ above: 200_000, ...prices(2.5, 15, 0.25) }],
  }),
  gemini("gemini-2.5-flash", "Gemini 2.5 Flash", prices(0.3, 2.5, 0.03)),
]

/** Assumes the abilities of the model's family, without limits and prices. */
export function unknownModel(id: string): ModelInfo {
  const unknown = defaultModelInfo(id)
  return { ...gemini(id, id, unknown.cost), limit: unknown.limit }
}

function gemini(id: string, name: string, cost: ModelInfo["cost"]): ModelInfo {
  const variants = thinkingVariants(id)
  return {
    id,
    name,
    limit,
    cost,
    capabilities: {
      reasoning: variants !== undefined,
      attachment: true,
      toolCall: true,
      temperature: true,
      structuredOutput: true,
      input: ["text", "image", "pdf", "audio", "video"],
    },
    promptFamily: "gemini",
    ...(variants !== undefined && { variants }),
    media,
  }
}

function prices(input: number, output: number, cacheRead: number): Prices {
  return { input, output, cacheRead, cacheWrite: 0 }
}
