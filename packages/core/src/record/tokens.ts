import type { Tokens } from "./message.ts"

export const noTokens: Tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

/** Far more than any request has, and small enough for exact sums. */
const MAX_TOKENS = 1e12

/** Returns whole numbers from 0 to 1e12. An invalid or missing amount is 0. */
export function countedTokens({ input, output, reasoning, cache }: Partial<Tokens> = noTokens): Tokens {
  return {
    ...{ input: toTokens(input), output: toTokens(output), reasoning: toTokens(reasoning) },
    cache: { read: toTokens(cache?.read), write: toTokens(cache?.write) },
  }
}

function toTokens(amount = 0): number {
  return Math.min(MAX_TOKENS, Math.round(toCount(amount)))
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
