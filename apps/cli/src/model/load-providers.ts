import type { ModelRef, Provider } from "@pawl/core"
import { explainError } from "../explain-error.ts"
import { loadProvider, type ProviderSources } from "./load-provider.ts"
import { toModelRef } from "./model-ref.ts"

export interface ProvidersSources extends ProviderSources {
  /** provider/model of what writes summaries; absent: the model itself. */
  readonly summarizer?: string | undefined
}

export interface LoadedProviders {
  readonly providers: readonly Provider[]
  /** Why the summarizer is not among them, for people. */
  readonly unusable?: string
}

/**
 * The providers that a task needs, each asked for its model: one that does not exist leaves no empty session behind.
 * Rejects where the model cannot be had; a summarizer that cannot only leaves its work to the model.
 */
export async function loadProviders(model: ModelRef, sources: ProvidersSources): Promise<LoadedProviders> {
  const { summarizer: written } = sources
  const ref = written === undefined ? undefined : toModelRef(written)
  const [provider, summarizer] = await Promise.all([
    withModel(model, sources),
    ref && withModel(ref, sources).catch((error: unknown) => explainError(error).message),
  ])
  if (typeof summarizer === "string") {
    const unusable = `agent.compaction.model is ${written}, and cannot be used: ${summarizer} The session's own model writes summaries.`
    return { providers: [provider], unusable }
  }
  if (!ref || !summarizer) return { providers: [provider] }
  return { providers: ref.providerID === model.providerID ? [both(provider, summarizer, ref)] : [provider, summarizer] }
}

async function withModel(ref: ModelRef, sources: ProviderSources): Promise<Provider> {
  const provider = await loadProvider(ref, sources)
  await provider.model(ref.modelID)
  return provider
}

/** An engine has one provider of a name. */
function both(provider: Provider, summarizer: Provider, { modelID }: ModelRef): Provider {
  return {
    ...{ id: provider.id, name: provider.name, models: () => provider.models() },
    model: (id) => (id === modelID ? summarizer : provider).model(id),
  }
}
