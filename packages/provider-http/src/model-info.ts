import type { ModelInfo } from "@pawl/core"

/** What is known of a model beforehand: its id, and whatever else. */
export interface ConfiguredModel {
  readonly id: string
  readonly name?: string | undefined
  readonly limit?: Partial<ModelInfo["limit"]> | undefined
  readonly cost?: Partial<ModelInfo["cost"]> | undefined
  readonly capabilities?: Partial<ModelInfo["capabilities"]> | undefined
  readonly variants?: ModelInfo["variants"] | undefined
}

/** A model of which only the id is known: no limits, no price, able to call tools. */
export function defaultModelInfo(id: string): ModelInfo {
  return {
    id,
    name: id,
    limit: { context: 0, output: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    capabilities: { reasoning: false, attachment: false, toolCall: true },
  }
}

/** What is configured of a model, and where nothing is, what was known before. */
export function toModelInfo(model: ConfiguredModel, known: ModelInfo = defaultModelInfo(model.id)): ModelInfo {
  const { id, name, limit, cost, capabilities, variants } = model
  return {
    ...known,
    id,
    name: name ?? known.name,
    limit: { ...known.limit, ...limit },
    cost: toCost(cost, known.cost),
    capabilities: { ...known.capabilities, ...capabilities },
    ...(variants !== undefined && { variants: { ...known.variants, ...variants } }),
  }
}

// Who names a price of their own has other tiers too, or none.
function toCost(configured: ConfiguredModel["cost"], known: ModelInfo["cost"]): ModelInfo["cost"] {
  if (configured === undefined) return known
  const { input, output, cacheRead, cacheWrite } = known
  return { input, output, cacheRead, cacheWrite, ...configured }
}
