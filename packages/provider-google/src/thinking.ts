import type { ModelInfo } from "@pawl/core/provider"

/** Returns thinking levels for Gemini 3 and later, token budgets for 2.5, and nothing for other models. */
export function thinkingVariants(modelID: string): ModelInfo["variants"] {
  if (modelID.includes("gemini-2.5")) return modelID.includes("pro") ? budgets(128, 32_768) : budgets(0, 24_576)
  if (!/gemini-(?:[3-9]|\d{2})/.test(modelID)) return undefined
  return Object.fromEntries(
    ["low", "medium", "high"].map((level) => [level, { thinkingConfig: { thinkingLevel: level } }]),
  )
}

function budgets(least: number, most: number): NonNullable<ModelInfo["variants"]> {
  const budget = (tokens: number) => ({ thinkingConfig: { thinkingBudget: tokens } })
  return { low: budget(Math.max(least, 2_048)), high: budget(16_384), max: budget(most) }
}
