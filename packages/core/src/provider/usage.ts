import type { Tokens } from "../session/message.ts"
import type { ModelInfo, Prices, PriceTier } from "./model.ts"

export const noTokens: Tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** In US dollars. Reasoning is billed as output. */
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

/** As a model may count them: what is no amount is none. */
export function countedTokens({ input, output, reasoning, cache }: Tokens = noTokens): Tokens {
  return {
    ...{ input: toCount(input), output: toCount(output), reasoning: toCount(reasoning) },
    cache: { read: toCount(cache.read), write: toCount(cache.write) },
  }
}

export function toCount(amount: number): number {
  return Number.isFinite(amount) && amount > 0 ? amount : 0
}

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  }
}
