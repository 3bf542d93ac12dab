import { isConsiderable, type Judgement } from "../measure/judge-report.ts"
import type { ModelInfo } from "../contracts/model.ts"
import { cost } from "../contracts/usage.ts"
import { BYTES_PER_TOKEN, type Estimate } from "./estimate.ts"
import type { Tokens } from "../record/message.ts"
import { allTokens, type Spent } from "../record/spent.ts"

export interface CompletedAnswer {
  readonly reported: Tokens
  /** Of the reported input. */
  readonly judgement: Judgement
  /** Bytes of text that the request had. */
  readonly bytes: number
  readonly estimate: Pick<Estimate, "input">
  /** Characters of the answer. */
  readonly received: number
}

/** Output tokens that are believed if the model's limit is lower or unknown: reasoning may come on top of it. */
const MOST_OUTPUT = 200_000
/** An answer with reasoning may take so many times the model's limit. */
const MOST_OUTPUT_FACTOR = 4

/**
 * What one answer took: as the provider reports it, or by estimate if the report cannot be true. A server that cuts
 * requests reports what it has read, and that is what it bills.
 */
export function billOf(answer: CompletedAnswer, { cost: price, limit }: Pick<ModelInfo, "cost" | "limit">): Spent {
  const { reported, judgement, bytes, estimate, received } = answer
  const isFalse = judgement.type === "ignored" && judgement.problem !== "not-growing" && isConsiderable(bytes)
  const written = reported.output + reported.reasoning
  const mostOutput = Math.max(MOST_OUTPUT, limit.output * MOST_OUTPUT_FACTOR, received)
  const isUnwritten = written > mostOutput || (isFalse && written === 0)
  const { input, cache } = isFalse ? estimate.input : reported
  const output = isUnwritten ? Math.ceil(received / BYTES_PER_TOKEN) : reported.output
  const tokens = { input, output, reasoning: isUnwritten ? 0 : reported.reasoning, cache }
  const paid = cost(tokens, price)
  const estimated = isFalse || isUnwritten ? { estimated: { tokens: allTokens(tokens), cost: paid } } : {}
  return { requests: 1, tokens, cost: paid, ...estimated }
}
