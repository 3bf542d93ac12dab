import type { Config, ModelConfig } from "@pawl/config"
import type { ModelInfo, ModelRef, Provider } from "@pawl/core"
import type { ConfiguredModel } from "@pawl/provider-openai-compatible"
import { kindOf } from "./connection.ts"
import { presets } from "./presets.ts"
import { type ProviderKind, providerKind } from "./provider-kind.ts"
import { REPLAY, type ReplaySources } from "./replay.ts"
import { signedIn, type SignedInSources } from "./signed-in.ts"
import { vendorProvider } from "./vendor-provider.ts"

export interface ProviderSources extends SignedInSources, ReplaySources {
  readonly config: Pick<Config, "provider" | "deadlines">
}

/** The provider of a model, ready to be asked for it. Throws UsageError when it cannot be reached as things are. */
export async function loadProvider({ providerID, modelID }: ModelRef, sources: ProviderSources): Promise<Provider> {
  if (providerID === REPLAY) {
    const { createReplayProvider } = await import("./replay-provider.ts")
    return createReplayProvider(sources)
  }
  const { environment, config } = sources
  const { provider, deadlines } = config
  const configured = configuredModels(provider?.[providerID]?.models)
  const timeout = provider?.[providerID]?.options?.timeout
  // A provider known by name has more models than somebody wrote down.
  const isOpen = configured.length === 0 || presets.some(({ id }) => id === providerID)
  const isNew = isOpen && !configured.some(({ id }) => id === modelID)
  const written: readonly ConfiguredModel[] = isNew ? [...configured, { id: modelID }] : configured
  const known = await modelsOf(kindOf(providerID, sources), written)
  const { connection, models } = await signedIn({ ...nameOf(providerID, sources), models: known }, sources)
  const kind = providerKind(providerID, provider?.[providerID]?.npm, connection.baseURL)
  const options = {
    ...connection,
    environment,
    ...(timeout === undefined ? {} : { timeout }),
    ...(deadlines?.connect_ms === undefined ? {} : { connectTimeout: deadlines.connect_ms }),
  }
  if (kind !== "openai-compatible") {
    return vendorProvider(kind, { ...options, models: models === known ? configured : models })
  }
  const { openAICompatible } = await import("@pawl/provider-openai-compatible")
  // Where nobody knows of any, every id is taken for a model's, and the server has the list.
  return openAICompatible({
    ...options,
    ...(models === known ? configured.length > 0 && { models: written } : { models }),
  })
}

/** The models that are known without a server: those that somebody wrote down, and a vendor's catalogue. */
export async function modelsOf(kind: ProviderKind, written: readonly ConfiguredModel[]): Promise<readonly ModelInfo[]> {
  if (kind !== "openai-compatible") return (await vendorProvider(kind, { models: written })).models()
  const { toModelInfo } = await import("@pawl/provider-openai-compatible")
  return written.map((model) => toModelInfo(model))
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
