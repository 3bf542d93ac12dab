import type { Config, ModelConfig } from "@pawl/config"
import type { ModelRef, Provider } from "@pawl/core"
import type { ConfiguredModel } from "@pawl/provider-openai-compatible"
import { connectionOf, type ConnectionSources } from "./connection.ts"
import { presets } from "./presets.ts"
import { REPLAY, type ReplaySources } from "./replay.ts"

export interface ProviderSources extends ConnectionSources, ReplaySources {
  readonly config: Pick<Config, "provider" | "deadlines">
}

/** The provider of a model, ready to be asked for it. Throws UsageError when it cannot be reached as things are. */
export async function loadProvider({ providerID, modelID }: ModelRef, sources: ProviderSources): Promise<Provider> {
  if (providerID === REPLAY) {
    const { createReplayProvider } = await import("./replay-provider.ts")
    return createReplayProvider(sources)
  }
  const connection = connectionOf(providerID, sources)
  const { openAICompatible } = await import("@pawl/provider-openai-compatible")
  const { provider, deadlines } = sources.config
  const models = configuredModels(provider?.[providerID]?.models)
  const timeout = provider?.[providerID]?.options?.timeout
  const isOpen = presets.some(({ id }) => id === providerID) && !models.some(({ id }) => id === modelID)
  return openAICompatible({
    ...connection,
    ...(timeout === undefined ? {} : { timeout }),
    ...(deadlines?.connect_ms === undefined ? {} : { connectTimeout: deadlines.connect_ms }),
    // A provider known by name has more models than somebody wrote down.
    ...(models.length > 0 ? { models: isOpen ? [...models, { id: modelID }] : models } : {}),
  })
}

/** Models of the configuration in the provider's form. */
export function configuredModels(models: Readonly<Record<string, ModelConfig>> = {}): ConfiguredModel[] {
  return Object.entries(models).map(([id, { name, limit, cost, reasoning, attachment, tool_call: toolCall }]) => ({
    id,
    name,
    limit,
    cost: cost && {
      input: cost.input,
      output: cost.output,
      ...(cost.cache_read === undefined ? {} : { cacheRead: cost.cache_read }),
      ...(cost.cache_write === undefined ? {} : { cacheWrite: cost.cache_write }),
    },
    capabilities: {
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(attachment === undefined ? {} : { attachment }),
      ...(toolCall === undefined ? {} : { toolCall }),
    },
  }))
}
