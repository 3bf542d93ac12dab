import type { Tokens } from "../record/message.ts"
import type { ModelInfo, Prices, PriceTier } from "./model.ts"

/** Returns the cost in US dollars. Reasoning is billed as output. */
export function cost(tokens: Tokens, price: ModelInfo["cost"]): number {
  const { input, output, cacheRead, cacheWrite } = pricesFor(tokens, price)
  const millionths =
    tokens.input * input +
    (tokens.output + tokens.reasoning) * output +
    tokens.cache.read * cacheRead +
    tokens.cache.write * cacheWrite
  return Number.isFinite(millionths) && millionths > 0 ? millionths / 1e6 : 0
}

function pricesFor({ input, cache }: Tokens, price: ModelInfo["cost"]): Prices {
  const size = input + cache.read + cache.write
  const tiers = price.tiers?.filter(({ above }) => size > above) ?? []
  return (
    tiers.reduce<PriceTier | undefined>((high, tier) => (high && high.above > tier.above ? high : tier), undefined) ??
    price
  )
}
