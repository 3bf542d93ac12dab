import { addTokens, countedTokens, noTokens, toCount } from "./tokens.ts"
import type { Tokens } from "./message.ts"

/** Usage of requests to models. */
export interface Spent {
  /** Number of requests, including failed ones. */
  readonly requests: number
  readonly tokens: Tokens
  /** US dollars. */
  readonly cost: number
  /** Estimated part of the usage: its answers broke off before they reported their usage. */
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

/** Clamps usage to non-negative numbers, so that stored or imported data cannot refund spending. */
export function counted({ requests, tokens, cost, estimated }: Spent): Spent {
  return {
    ...{ requests: toCount(requests), tokens: countedTokens(tokens), cost: toCount(cost) },
    ...(estimated ? { estimated: { tokens: toCount(estimated.tokens), cost: toCount(estimated.cost) } } : {}),
  }
}

/** Returns the usage as the fields of a message. */
export function figuresOf({ requests, tokens, cost, estimated }: Spent) {
  return { cost, tokens, requests, ...(estimated ? { estimated } : {}) }
}

/** Returns the sum of input, output, reasoning and cached tokens. */
export function allTokens({ input, output, reasoning, cache }: Tokens): number {
  return input + output + reasoning + cache.read + cache.write
}

type Estimated = NonNullable<Spent["estimated"]>

function addEstimated(a: Estimated, b: Estimated): Estimated {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost }
}
