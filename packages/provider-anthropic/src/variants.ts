import type { ModelInfo } from "@pawl/core/provider"
import { takesEffort } from "./families.ts"

type Variants = NonNullable<ModelInfo["variants"]>

/** Returns reasoning efforts. `xhigh` is for models that refuse a temperature. */
export function effortVariants(modelID: string, xhigh: boolean): Variants {
  if (!takesEffort(modelID)) return budgets
  const efforts = ["low", "medium", "high", ...(xhigh ? ["xhigh"] : []), "max"]
  const thinking = { type: "adaptive", display: "summarized" }
  return Object.fromEntries(efforts.map((effort) => [effort, { thinking, effort }]))
}

/** In tokens; the largest is what the SDK adds to `max_tokens` without passing the limit of any of these models. */
const budgets: Variants = {
  low: { thinking: { type: "enabled", budgetTokens: 4_000 } },
  high: { thinking: { type: "enabled", budgetTokens: 16_000 } },
  max: { thinking: { type: "enabled", budgetTokens: 31_999 } },
}
