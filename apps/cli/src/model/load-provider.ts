import type { Config, ModelConfig } from "@pawl/config"
import type { ModelRef, Provider } from "@pawl/core"
import type { ConfiguredModel } from "@pawl/provider-openai-compatible"
import { presets } from "./presets.ts"
import { REPLAY, type ReplaySources } from "./replay.ts"
import { signedIn, type SignedInSources } from "./signed-in.ts"

export interface ProviderSources extends SignedInSources, ReplaySources {
  readonly config: Pick<Config, "provider" | "deadlines">
}

/** The provider of a model, ready to be asked for it. Throws UsageError when it cannot be reached as things are. */
export async function loadProvider({ providerID, modelID }: ModelRef, sources: ProviderSources): Promise<Provider> {
  if (providerID === REPLAY) {
    const { createReplayProvider } = await import("./replay-provider.ts")
    return createReplayProvider(sources)
  }
  const { openAICompatible, toModelInfo } = await import("@pawl/provider-openai-compatible")
  const { provider, deadlines } = sources.config
  const configured = configuredModels(provider?.[providerID]?.models)
  const timeout = provider?.[providerID]?.options?.timeout
  // A provider known by name has more models than somebody wrote down.
  const isOpen = configured.length === 0 || presets.some(({ id }) => id === providerID)
  const isNew = isOpen && !configured.some(({ id }) => id === modelID)
  const written: readonly ConfiguredModel[] = isNew ? [...configured, { id: modelID }] : configured
  const known = written.map((model) => toModelInfo(model))
  const { connection, models } = await signedIn({ ...nameOf(providerID, sources), models: known }, sources)
  return openAICompatible({
    ...connection,
    ...(timeout === undefined ? {} : { timeout }),
    ...(deadlines?.connect_ms === undefined ? {} : { connectTimeout: deadlines.connect_ms }),
    // Where nobody knows of any, every id is taken for a model's, and the server has the list.
    ...(models === known ? configured.length > 0 && { models: written } : { models }),
  })
}

function nameOf(
  id: string,
  { config }: Pick<ProviderSources, "config">,
): { readonly id: string; readonly name: string } {
  return { id, name: config.provider?.[id]?.name ?? presets.find((each) => each.id === id)?.name ?? id }
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
