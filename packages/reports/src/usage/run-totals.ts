import { addTokens, noTokens, type Part, type Tokens } from "@pawl/core/record"

/** Usage of a run so far. */
export interface Totals {
  readonly steps: number
  readonly calls: number
  readonly tokens: Tokens
  /** US dollars; 0 where prices are not known. */
  readonly cost: number
  /** Cost of failed attempts, included in `cost`. */
  readonly retries: number
  /** Steps and calls of subagents. `tokens` and `cost` include subagents. */
  readonly subagents: { readonly steps: number; readonly calls: number }
}

export const noTotals: Totals = {
  ...{ steps: 0, calls: 0, tokens: noTokens, cost: 0, retries: 0 },
  subagents: { steps: 0, calls: 0 },
}

/** Adds a finished part of a child session. */
export function withSubagentPart(totals: Totals, part: Part): Totals {
  const { steps, calls, subagents } = totals
  const more = withPart({ ...totals, ...subagents }, part)
  return { ...more, steps, calls, subagents: { steps: more.steps, calls: more.calls } }
}

/** Adds a finished part; ignores unfinished ones. Call it once for each part. A summary does not count as a step. */
export function withPart(totals: Totals, part: Part, isSummary = false): Totals {
  if (part.type === "step-finish") {
    const { steps, tokens, cost } = totals
    return {
      ...totals,
      steps: steps + (isSummary ? 0 : 1),
      tokens: addTokens(tokens, part.tokens),
      cost: cost + part.cost,
    }
  }
  if (part.type === "usage" || part.type === "retry") {
    const { tokens = noTokens, cost = 0 } = part
    const isRetry = part.type === "retry" || part.purpose === "retry"
    return {
      ...totals,
      tokens: addTokens(totals.tokens, tokens),
      cost: totals.cost + cost,
      retries: totals.retries + (isRetry ? cost : 0),
    }
  }
  const isSettled = part.type === "tool" && (part.state.status === "completed" || part.state.status === "error")
  return isSettled ? { ...totals, calls: totals.calls + 1 } : totals
}
