import type { ModelConfig } from "@pawl/config"
import type { ModelInfo, Prices } from "@pawl/core/provider"
import type { ConfiguredModel, ModelMiddleware } from "@pawl/provider-http"

/** Models of the configuration in the provider's form. */
export function configuredModels(models: Readonly<Record<string, ModelConfig>> = {}): ConfiguredModel[] {
  return Object.entries(models).map(([id, model]) => {
    const { id: vendorID, name, limit, cost, variants, headers, options, middleware } = model
    return {
      id,
      name,
      limit,
      ...(vendorID === undefined ? {} : { vendorID }),
      ...(headers === undefined ? {} : { headers }),
      ...(options === undefined ? {} : { options }),
      ...(middleware === undefined ? {} : { middleware: middleware.map(namedMiddleware) }),
      ...(cost === undefined ? {} : { cost: costOf(cost) }),
      ...(variants === undefined ? {} : { variants }),
      capabilities: capabilitiesOf(model),
    }
  })
}

type WrittenMiddleware = NonNullable<ModelConfig["middleware"]>[number]

function namedMiddleware(written: WrittenMiddleware): ModelMiddleware {
  const { name, settings = {}, ...given } = typeof written === "string" ? { name: written } : written
  if (name === "defaultSettings") return { name, settings }
  return name === "extractReasoning" ? { name, ...given } : { name }
}

function capabilitiesOf({
  reasoning,
  attachment,
  tool_call: toolCall,
  temperature,
  structured_output: structuredOutput,
  modalities,
}: ModelConfig): Partial<ModelInfo["capabilities"]> {
  const { input } = modalities ?? {}
  const reads = attachment ?? input?.some((kind) => kind !== "text")
  return {
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(reads === undefined ? {} : { attachment: reads }),
    ...(toolCall === undefined ? {} : { toolCall }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(structuredOutput === undefined ? {} : { structuredOutput }),
    ...(input === undefined ? (attachment === false ? { input: ["text"] } : {}) : { input }),
  }
}

type WrittenCost = NonNullable<ModelConfig["cost"]>
type WrittenPrices = Pick<WrittenCost, "input" | "output" | "cache_read" | "cache_write">

function costOf({ tiers = [], context_over_200k: long, ...base }: WrittenCost): ConfiguredModel["cost"] {
  const all = [...tiers, ...(long ? [{ above: 200_000, ...long }] : [])]
  if (all.length === 0) return pricesOf(base)
  return {
    ...pricesOf(base),
    tiers: all.map(({ above, ...prices }) => ({ above, ...pricesOf(prices) })).toSorted((a, b) => a.above - b.above),
  }
}

function pricesOf(written: WrittenPrices): Pick<Prices, "input" | "output"> & Partial<Prices> {
  return { input: written.input, output: written.output, ...cachePrices(written) }
}

function cachePrices({ cache_read: cacheRead, cache_write: cacheWrite }: WrittenPrices): Partial<Prices> {
  return {
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  }
}
