import { measuredStep, isAnswerOf } from "../measure/calibration.ts"
import type { ExpectedInput } from "../measure/measured-request.ts"
import type { ModelInfo, ModelRequest } from "../contracts/model.ts"
import { cost } from "../contracts/usage.ts"
import { noTokens } from "../record/tokens.ts"
import type { MessageWithParts, ModelRef, Tokens } from "../record/message.ts"
import { allTokens, type Spent } from "../record/spent.ts"

/** What a request will take that has not left yet: what it sends for certain, and at most with its answer. */
export interface Estimate {
  readonly input: Tokens
  readonly tokens: number
  /** US dollars. */
  readonly cost: number
  readonly most: { readonly tokens: number; readonly cost: number }
}

/** Tokens of an answer whose model's limit is not known. */
const LONGEST_ANSWER = 32_000
export const BYTES_PER_TOKEN = 4

export interface Sent {
  readonly expected: Pick<ExpectedInput, "tokens" | "margin">
  /** Tokens; 0 or absent: not known. */
  readonly maxOutput?: number | undefined
  /** What the conversation's last request to this model took, whose beginning this one shares. */
  readonly last?: Tokens | undefined
}

export function estimateOf({ expected, maxOutput, last }: Sent, { cost: price }: Pick<ModelInfo, "cost">): Estimate {
  const input = expectedInput(expected.tokens, last)
  const output = maxOutput !== undefined && maxOutput > 0 && maxOutput < Infinity ? maxOutput : LONGEST_ANSWER
  const sent = expected.tokens + expected.margin
  const uncached = cost({ ...noTokens, input: sent, output }, price)
  const written = cost({ ...noTokens, output, cache: { read: 0, write: sent } }, price)
  return {
    ...{ input, tokens: expected.tokens, cost: cost(input, price) },
    most: { tokens: sent + output, cost: Math.max(uncached, written) },
  }
}

/** Bytes of a request that no conversation has measured. */
export function bytesOf({ system, messages, tools }: Pick<ModelRequest, "system" | "messages" | "tools">): number {
  return Buffer.byteLength(JSON.stringify([system, messages, tools]))
}

/** Of a request that no conversation has measured. */
export function estimateOfText(
  bytes: number,
  { settings }: Pick<ModelRequest, "settings">,
  info: Pick<ModelInfo, "cost" | "limit">,
): Estimate {
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN)
  const maxOutput = settings.maxOutputTokens ?? info.limit.output
  return estimateOf({ expected: { tokens, margin: Math.ceil(tokens / 2) }, maxOutput }, info)
}

/** What the last request of this model took, where nothing else was asked since. */
export function lastTokens(messages: readonly MessageWithParts[], model: ModelRef): Tokens | undefined {
  const last = messages.findLast((message) => message.info.role === "assistant" && measuredStep(message))
  return last && isAnswerOf(last, model) ? measuredStep(last)?.tokens : undefined
}

/** A request whose answer broke off: it was read, and so much of an answer was written. `received`: characters. */
export function brokenOff({ input }: Estimate, received: number, { cost: price }: Pick<ModelInfo, "cost">): Spent {
  // Nobody answers for nothing, nor is what was refused before it was read paid for.
  if (received === 0) return { requests: 1, tokens: noTokens, cost: 0 }
  const tokens = { ...input, output: Math.ceil(received / BYTES_PER_TOKEN) }
  const paid = cost(tokens, price)
  return { requests: 1, tokens, cost: paid, estimated: { tokens: allTokens(tokens), cost: paid } }
}

/** Providers that cached the last request have its beginning at hand. */
function expectedInput(tokens: number, last: Tokens | undefined): Tokens {
  if (!last || last.cache.read + last.cache.write === 0) return { ...noTokens, input: tokens }
  const read = Math.min(tokens, last.input + last.cache.read + last.cache.write)
  const rest = tokens - read
  return last.cache.write > 0
    ? { ...noTokens, cache: { read, write: rest } }
    : { ...noTokens, input: rest, cache: { read, write: 0 } }
}
