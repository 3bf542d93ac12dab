import type { Part } from "@pawl/core"
import type { SessionView } from "./view.ts"

/** Adds the usage of a finished step. */
export function withStep(view: SessionView, part: Part): SessionView {
  if (part.type !== "step-finish") return view
  const { cost, input, cached, output } = view.spending
  const { tokens } = part
  const sent = tokens.input + tokens.cache.read + tokens.cache.write
  return {
    ...view,
    spending: {
      cost: cost + part.cost,
      context: sent + tokens.output + tokens.reasoning,
      input: input + sent,
      cached: cached + tokens.cache.read,
      output: output + tokens.output + tokens.reasoning,
    },
  }
}
