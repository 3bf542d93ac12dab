import { isConsiderable, type Judgement } from "../measure/judge-report.ts"
import type { ModelInfo } from "../contracts/model.ts"
import { cost } from "../contracts/usage.ts"
import { BYTES_PER_TOKEN, type Estimate } from "./estimate.ts"
import type { Tokens } from "../record/message.ts"
import { allTokens, type Spent } from "../record/spent.ts"

export interface CompletedAnswer {
  readonly reported: Tokens
  /** Judgement of the reported input. */
  readonly judgement: Judgement
  /** Bytes of text in the request. */
  readonly bytes: number
  /** Called only if the report cannot be true. */
  readonly estimate: () => Pick<Estimate, "input">
  /** Characters of the received answer. */
  readonly received: number
}

/** Output tokens that are plausible even if the model's limit is lower or unknown: the limit may exclude reasoning. */
const MAX_PLAUSIBLE_OUTPUT = 200_000
/** Factor by which an answer with reasoning may exceed the model's limit. */
const MAX_OUTPUT_FACTOR = 4

/**
 * Returns the usage of one answer: as the provider reports it, or an estimate if the report cannot be true. A server
 * that cuts requests reports the part that it has read, and bills that part.
 */
export function billOf(answer: CompletedAnswer, { cost: price, limit }: Pick<ModelInfo, "cost" | "limit">): Spent {
  const { reported, judgement, bytes, estimate, received } = answer
  const isFalse = judgement.type === "ignored" && judgement.problem !== "not-growing" && isConsiderable(bytes)
  const written = reported.output + reported.reasoning
  const maxOutput = Math.max(MAX_PLAUSIBLE_OUTPUT, limit.output * MAX_OUTPUT_FACTOR, received)
  const isUnwritten = written > maxOutput || (isFalse && written === 0)
  const { input, cache } = isFalse ? estimate().input : reported
  const output = isUnwritten ? Math.ceil(received / BYTES_PER_TOKEN) : reported.output
  const tokens = { input, output, reasoning: isUnwritten ? 0 : reported.reasoning, cache }
  const paid = cost(tokens, price)
  const estimated = isFalse || isUnwritten ? { estimated: { tokens: allTokens(tokens), cost: paid } } : {}
  return { requests: 1, tokens, cost: paid, ...estimated }
}
