import { defaultModelInfo } from "@pawl/provider-http"
import type { MediaLimits, ModelInfo, Prices, PriceTier } from "@pawl/core/provider"
import { isThinkingByItself, takesEffort } from "./families.ts"
import { effortVariants } from "./variants.ts"

/** Limits of the Messages API. */
const media: MediaLimits = {
  imageBytes: 5 * 1024 * 1024,
  imageSide: 8000,
  imagesPerRequest: 100,
  pdfPages: 100,
  requestBytes: 32 * 1024 * 1024,
}

/**
 * Claude models as Anthropic's model and pricing pages describe them (October 2026), output limits as in
 * `@ai-sdk/anthropic` 4.0.105. Prices of cache writes are those for five minutes. 0 = unknown.
 */
export const anthropicModels: readonly ModelInfo[] = [
  claude("claude-opus-5-5", "Claude Opus 5.5", million, prices(4, 20, 0.2, 5)),
  claude("claude-sonnet-5-5", "Claude Sonnet 5.5", million, prices(2, 10, 0.1, 2.5)),
  claude("claude-haiku-5-5", "Claude Haiku 5.5", million, {
    ...prices(0.1, 0.5, 0.01, 0.125),
    tiers: [{ above: 100_000, ...prices(0.5, 2.5, 0.05, 0.625) }],
  }),
  claude("claude-fable-5-1", "Claude Fable 5.1", million, prices(10, 50, 0.25, 12.5)),
  claude("claude-opus-5", "Claude Opus 5", million, prices(5, 25, 0.5, 6.25)),
  claude("claude-sonnet-5", "Claude Sonnet 5", million, prices(2, 10, 0.2, 2.5)),
  claude("claude-opus-4-8", "Claude Opus 4.8", million, prices(5, 25, 0.5, 6.25)),
  claude("claude-opus-4-7", "Claude Opus 4.7", million, prices(5, 25, 0.5, 6.25)),
  claude("claude-opus-4-6", "Claude Opus 4.6", million, prices(5, 25, 0.5, 6.25)),
  claude("claude-sonnet-4-6", "Claude Sonnet 4.6", million, prices(3, 15, 0.3, 3.75)),
  claude("claude-opus-4-5", "Claude Opus 4.5", small, prices(5, 25, 0.5, 6.25)),
  claude("claude-sonnet-4-5", "Claude Sonnet 4.5", small, prices(3, 15, 0.3, 3.75)),
  claude("claude-haiku-4-5", "Claude Haiku 4.5", small, prices(1, 5, 0.1, 1.25)),
]

/** Assumes the common abilities of Claude models, without limits and prices. */
export function unknownModel(id: string): ModelInfo {
  const { limit, cost } = defaultModelInfo(id)
  return claude(id, id, () => limit, cost)
}

const HOUR_MS = 3_600_000

/** Adjusts prices for prompts cached for an hour: writing costs twice as much as input. */
export function keptForAnHour(info: ModelInfo): ModelInfo {
  const dearer = <P extends Prices>(price: P): P => ({ ...price, cacheWrite: price.input * 2 })
  const { tiers } = info.cost
  const cost = { ...dearer(info.cost), ...(tiers && { tiers: tiers.map((tier) => dearer(tier)) }) }
  return { ...info, cost, cacheTTL: HOUR_MS }
}

function claude(
  id: string,
  name: string,
  limit: () => ModelInfo["limit"],
  cost: Prices & { readonly tiers?: readonly PriceTier[] },
): ModelInfo {
  const refusesTemperature = isThinkingByItself(id) || /claude-opus-4-[78](?!\d)/.test(id)
  return {
    id,
    name,
    limit: limit(),
    cost,
    capabilities: {
      reasoning: true,
      attachment: true,
      toolCall: true,
      temperature: !refusesTemperature,
      structuredOutput: takesEffort(id) || /-4-5(?!\d)/.test(id),
      input: ["text", "image", "pdf"],
    },
    promptFamily: "anthropic",
    variants: effortVariants(id, refusesTemperature),
    media,
  }
}

function million(): ModelInfo["limit"] {
  return { context: 1_000_000, output: 128_000 }
}

function small(): ModelInfo["limit"] {
  return { context: 200_000, output: 64_000 }
}

function prices(input: number, output: number, cacheRead: number, cacheWrite: number): Prices {
  return { input, output, cacheRead, cacheWrite }
}
