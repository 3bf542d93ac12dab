import { measuredStep, isAnswerOf } from "../measure/calibration.ts"
import type { ExpectedInput } from "../measure/measured-request.ts"
import type { ModelInfo, ModelRequest } from "../contracts/model.ts"
import { cost } from "../contracts/usage.ts"
import { noTokens } from "../record/tokens.ts"
import type { MessageWithParts, ModelRef, Tokens } from "../record/message.ts"
import { allTokens, type Spent } from "../record/spent.ts"

/** The expected usage of an unsent request: certain usage of its input, and the maximum with its answer. */
export interface Estimate {
  readonly input: Tokens
  readonly tokens: number
  /** US dollars. */
  readonly cost: number
  readonly most: { readonly tokens: number; readonly cost: number }
}

/** Assumed tokens of an answer if the model's limit is unknown. */
const ASSUMED_ANSWER_TOKENS = 32_000
export const BYTES_PER_TOKEN = 4

export interface Sent {
  readonly expected: Pick<ExpectedInput, "tokens" | "margin">
  /** Tokens; unknown if 0 or missing. */
  readonly maxOutput?: number | undefined
  /** Usage of the conversation's last request to this model, which begins like this one. */
  readonly last?: Tokens | undefined
}

export function estimateOf({ expected, maxOutput, last }: Sent, { cost: price }: Pick<ModelInfo, "cost">): Estimate {
  const input = expectedInput(expected.tokens, last)
  const output = maxOutput !== undefined && maxOutput > 0 && maxOutput < Infinity ? maxOutput : ASSUMED_ANSWER_TOKENS
  const sent = expected.tokens + expected.margin
  const uncached = cost({ ...noTokens, input: sent, output }, price)
  const written = cost({ ...noTokens, output, cache: { read: 0, write: sent } }, price)
  return {
    ...{ input, tokens: expected.tokens, cost: cost(input, price) },
    most: { tokens: sent + output, cost: Math.max(uncached, written) },
  }
}

/** Returns the bytes of a request outside of a conversation's measurements. */
export function bytesOf({ system, messages, tools }: Pick<ModelRequest, "system" | "messages" | "tools">): number {
  return Buffer.byteLength(JSON.stringify([system, messages, tools]))
}

/** Estimates a request outside of a conversation's measurements. */
export function estimateOfText(
  bytes: number,
  { settings }: Pick<ModelRequest, "settings">,
  info: Pick<ModelInfo, "cost" | "limit">,
): Estimate {
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN)
  const maxOutput = settings.maxOutputTokens ?? info.limit.output
  return estimateOf({ expected: { tokens, margin: Math.ceil(tokens / 2) }, maxOutput }, info)
}

/** Returns the usage of this model's last request, unless another model was used since. */
export function lastTokens(messages: readonly MessageWithParts[], model: ModelRef): Tokens | undefined {
  const last = messages.findLast((message) => message.info.role === "assistant" && measuredStep(message))
  return last && isAnswerOf(last, model) ? measuredStep(last)?.tokens : undefined
}

/**
 * Returns the usage of a request whose answer broke off: its input, and the part of the answer that arrived.
 * `received`: characters.
 */
export function brokenOff({ input }: Estimate, received: number, { cost: price }: Pick<ModelInfo, "cost">): Spent {
  // Without output, the request was probably refused before processing, and is not billed.
  if (received === 0) return { requests: 1, tokens: noTokens, cost: 0 }
  const tokens = { ...input, output: Math.ceil(received / BYTES_PER_TOKEN) }
  const paid = cost(tokens, price)
  return { requests: 1, tokens, cost: paid, estimated: { tokens: allTokens(tokens), cost: paid } }
}

/** Returns the expected input. If the last request was cached, its beginning is read from the cache. */
function expectedInput(tokens: number, last: Tokens | undefined): Tokens {
  if (!last || last.cache.read + last.cache.write === 0) return { ...noTokens, input: tokens }
  const read = Math.min(tokens, last.input + last.cache.read + last.cache.write)
  const rest = tokens - read
  return last.cache.write > 0
    ? { ...noTokens, cache: { read, write: rest } }
    : { ...noTokens, input: rest, cache: { read, write: 0 } }
}
