import type { LanguageModelV4Usage } from "@ai-sdk/provider"
import type { Tokens } from "@pawl/core/provider"

/** Token counts without overlap: input without what the cache read or wrote, output without reasoning. From 0 to 1e12. */
export function toTokens({ inputTokens, outputTokens }: LanguageModelV4Usage): Tokens {
  const cache = { read: count(inputTokens.cacheRead), write: count(inputTokens.cacheWrite) }
  const reasoning = count(outputTokens.reasoning)
  return {
    input: count(inputTokens.noCache ?? count(inputTokens.total) - cache.read - cache.write),
    output: count(outputTokens.text ?? count(outputTokens.total) - reasoning),
    reasoning,
    cache,
  }
}

/** Limits invalid counts, so that sums stay exact. */
const MAX_TOKENS = 1e12

function count(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? Math.min(Math.max(0, Math.round(value)), MAX_TOKENS) : 0
}
