import type { Tokens } from "../session/message.ts"
import type { ModelInfo } from "./model.ts"

export const noTokens: Tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** In US dollars. Reasoning is billed as output. */
export function cost(tokens: Tokens, price: ModelInfo["cost"]): number {
  const millionths =
    tokens.input * price.input +
    (tokens.output + tokens.reasoning) * price.output +
    tokens.cache.read * price.cacheRead +
    tokens.cache.write * price.cacheWrite
  return Number.isFinite(millionths) && millionths > 0 ? millionths / 1e6 : 0
}

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cache: { read: a.cache.read + b.cache.read, write: a.cache.write + b.cache.write },
  }
}
