import { addTokens, countedTokens, noTokens, toCount } from "./tokens.ts"
import type { Tokens } from "./message.ts"

/** What requests to models took. */
export interface Spent {
  /** That were made, whatever came of them. */
  readonly requests: number
  readonly tokens: Tokens
  /** US dollars. */
  readonly cost: number
  /** The part of it that nobody has counted: its answers broke off before they said what they took. */
  readonly estimated?: { readonly tokens: number; readonly cost: number }
}

export const nothingSpent: Spent = { requests: 0, tokens: noTokens, cost: 0 }

export function addSpent(a: Spent, b: Spent): Spent {
  const estimated = a.estimated && b.estimated ? addEstimated(a.estimated, b.estimated) : (a.estimated ?? b.estimated)
  return {
    requests: a.requests + b.requests,
    tokens: addTokens(a.tokens, b.tokens),
    cost: a.cost + b.cost,
    ...(estimated ? { estimated } : {}),
  }
}

/** As it counts, whatever was stored or imported: nobody is paid for asking. */
export function counted({ requests, tokens, cost, estimated }: Spent): Spent {
  return {
    ...{ requests: toCount(requests), tokens: countedTokens(tokens), cost: toCount(cost) },
    ...(estimated ? { estimated: { tokens: toCount(estimated.tokens), cost: toCount(estimated.cost) } } : {}),
  }
}

/** As a message holds it. */
export function figuresOf({ requests, tokens, cost, estimated }: Spent) {
  return { cost, tokens, requests, ...(estimated ? { estimated } : {}) }
}

/** Input, output, reasoning and what went through the cache. */
export function allTokens({ input, output, reasoning, cache }: Tokens): number {
  return input + output + reasoning + cache.read + cache.write
}

type Estimated = NonNullable<Spent["estimated"]>

function addEstimated(a: Estimated, b: Estimated): Estimated {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost }
}
