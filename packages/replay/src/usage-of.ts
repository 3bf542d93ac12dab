import { cost, type ModelInfo } from "@pawl/core/provider"
import { addTokens, noTokens, type Tokens } from "@pawl/core/record"
import type { RecordedReply, ReplyLine } from "@pawl/provider-replay"

/** The usage of one side of a comparison. */
export interface Side {
  /** provider/model */
  readonly model: string
  readonly steps: number
  readonly calls: number
  /** Number of calls that the recording has with the same arguments. */
  readonly sameCalls: number
  readonly tokens: Tokens
  /** US dollars; 0 if prices are unknown. */
  readonly cost: number
  /** Total duration of the requests, in milliseconds. */
  readonly took: number
  /** The type of the last turn's end. */
  readonly end: string
  readonly answer: string
}

export function noSide(model: string): Side {
  return { model, steps: 0, calls: 0, sameCalls: 0, tokens: noTokens, cost: 0, took: 0, end: "", answer: "" }
}

/** Adds a reply of the model with these prices. */
export function withReply(side: Side, tokens: Tokens, prices: ModelInfo["cost"] | undefined, took: number): Side {
  return {
    ...side,
    steps: side.steps + 1,
    tokens: addTokens(side.tokens, tokens),
    cost: side.cost + (prices ? cost(tokens, prices) : 0),
    took: side.took + took,
  }
}

/** Returns the tokens of a recorded reply. */
export function recordedTokens({ reply }: RecordedReply): Tokens {
  const ending = reply.find((step) => step.type === "ending")
  return tokensOf(ending?.type === "ending" ? ending.usage : undefined)
}

export function heardTokens(line: ReplyLine): Tokens {
  return tokensOf(line["usage"] as Parameters<typeof tokensOf>[0])
}

interface Written {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly reasoning?: number | undefined
  readonly cacheRead?: number | undefined
  readonly cacheWrite?: number | undefined
}

function tokensOf({ input = 0, output = 0, reasoning = 0, cacheRead = 0, cacheWrite = 0 }: Written = {}): Tokens {
  return { input, output, reasoning, cache: { read: cacheRead, write: cacheWrite } }
}
