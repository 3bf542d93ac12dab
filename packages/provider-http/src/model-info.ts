import type { JSONObject, ModelInfo, Prices, PriceTier } from "@pawl/core/provider"
import type { ModelMiddleware } from "@pawl/provider-ai-sdk"
import type { RequestWords } from "./request-words.ts"

type ConfiguredTier = Pick<PriceTier, "above" | "input" | "output"> & Partial<Prices>

/** The configured properties of a model. */
export interface ConfiguredModel extends RequestWords {
  readonly id: string
  /** The id that the server knows it by. Default: `id`. */
  readonly vendorID?: string | undefined
  readonly name?: string | undefined
  readonly limit?: Partial<ModelInfo["limit"]> | undefined
  /** A tier without prices for the cache takes those of the tier below. */
  readonly cost?: (Partial<Prices> & { readonly tiers?: readonly ConfiguredTier[] }) | undefined
  readonly capabilities?: Partial<ModelInfo["capabilities"]> | undefined
  /** Merged with a known variant of the same name; `disabled` removes it. */
  readonly variants?: Readonly<Record<string, JSONObject & { readonly disabled?: boolean }>> | undefined
  /** See `aiSdkModel`. */
  readonly middleware?: readonly ModelMiddleware[] | undefined
}

/** Properties of an unknown model: no limits, no price, can call tools. */
export function defaultModelInfo(id: string): ModelInfo {
  return {
    id,
    name: id,
    limit: { context: 0, output: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    capabilities: { reasoning: false, attachment: false, toolCall: true },
  }
}

/** Merges configured properties with known ones. */
export function toModelInfo(model: ConfiguredModel, known: ModelInfo = defaultModelInfo(model.id)): ModelInfo {
  const { id, name, limit, cost, capabilities, variants } = model
  return {
    ...known,
    id,
    name: name ?? known.name,
    limit: { ...known.limit, ...limit },
    cost: toCost(cost, known.cost),
    capabilities: { ...known.capabilities, ...capabilities },
    ...(variants !== undefined && { variants: withConfigured(known.variants, variants) }),
  }
}

function withConfigured(
  known: ModelInfo["variants"] = {},
  configured: NonNullable<ConfiguredModel["variants"]>,
): NonNullable<ModelInfo["variants"]> {
  const variants = new Map<string, JSONObject>(Object.entries(known))
  for (const [name, { disabled, ...options }] of Object.entries(configured)) {
    if (disabled === true) variants.delete(name)
    else variants.set(name, { ...variants.get(name), ...options })
  }
  return Object.fromEntries(variants)
}

// Configured prices replace the known tiers too.
function toCost(configured: ConfiguredModel["cost"], known: ModelInfo["cost"]): ModelInfo["cost"] {
  if (configured === undefined) return known
  const { tiers, ...told } = configured
  const { input, output, cacheRead, cacheWrite } = known
  const prices = { input, output, cacheRead, cacheWrite, ...told }
  if (tiers === undefined) return prices
  const cache = { cacheRead: prices.cacheRead, cacheWrite: prices.cacheWrite }
  return { ...prices, tiers: tiers.map((tier) => ({ ...cache, ...tier })) }
}
