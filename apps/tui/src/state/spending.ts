import type { Part } from "@pawl/core"
import type { SessionView } from "./view.ts"

/** Sets the tokens that the context has. */
export function withContext(view: SessionView, context: number): SessionView {
  return { ...view, spending: { ...view.spending, context } }
}

/** Adds the usage of a finished step. A step that writes a summary says nothing about the context of the next one. */
export function withStep(view: SessionView, part: Part, isSummary = false): SessionView {
  if (part.type !== "step-finish") return view
  const { cost, input, cached, output } = view.spending
  const { tokens } = part
  const sent = tokens.input + tokens.cache.read + tokens.cache.write
  return {
    ...view,
    spending: {
      cost: cost + part.cost,
      context: isSummary ? view.spending.context : sent + tokens.output + tokens.reasoning,
      input: input + sent,
      cached: cached + tokens.cache.read,
      output: output + tokens.output + tokens.reasoning,
    },
  }
}
