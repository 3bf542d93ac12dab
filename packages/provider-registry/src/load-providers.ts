import type { ModelRef, Provider } from "@pawl/core/provider"
import { errorMessage } from "@pawl/config/error-message"
import { loadProvider, type ProviderSources } from "./load-provider.ts"
import { toModelRef } from "./model-ref.ts"

export interface ProvidersSources extends ProviderSources {
  /** Model for summaries, as provider/model. Default: the model of the run. */
  readonly summarizer?: string | undefined
  /** Other models that may be asked for, such as those of subagents. */
  readonly others?: readonly ModelRef[]
}

export interface LoadedProviders {
  readonly providers: readonly Provider[]
  /** Why the summarizer is not among them, for people. */
  readonly unusable?: string
}

/**
 * The providers that a task needs. The model itself is asked for: one that does not exist leaves no empty session behind.
 * Rejects where it cannot be had; a summarizer that cannot only leaves its work to the model. All others are looked for
 * when they are needed.
 */
export async function loadProviders(model: ModelRef, sources: ProvidersSources): Promise<LoadedProviders> {
  const { summarizer: written, others = [] } = sources
  const ref = written === undefined ? undefined : toModelRef(written)
  const [provider, summarizer] = await Promise.all([
    withModel(model, sources),
    ref && withModel(ref, sourcesFor(ref, model, sources)).catch((error: unknown) => errorMessage(error)),
  ])
  const isUsable = ref !== undefined && summarizer !== undefined && typeof summarizer !== "string"
  const known: Known[] = [{ ref: model, provider }, ...(isUsable ? [{ ref, provider: summarizer }] : [])]
  const ids = new Set([...known.map((each) => each.ref.providerID), ...others.map(({ providerID }) => providerID)])
  const providers = [...ids].map((id) => {
    const own = known.filter((each) => each.ref.providerID === id)
    const isPlain = own.length === 1 && !others.some(({ providerID }) => providerID === id)
    return isPlain && own[0] ? own[0].provider : onDemand(id, own, (other) => sourcesFor(other, model, sources))
  })
  if (typeof summarizer !== "string") return { providers }
  const unusable = `agent.compaction.model is ${written}, and cannot be used: ${summarizer} The session's own model writes summaries.`
  return { providers, unusable }
}

interface Known {
  readonly ref: ModelRef
  readonly provider: Provider
}

async function withModel(ref: ModelRef, sources: ProviderSources): Promise<Provider> {
  const provider = await loadProvider(ref, sources)
  await provider.model(ref.modelID)
  return provider
}

/** The address and the key that were given for a task are those of its model's provider. */
function sourcesFor({ providerID }: ModelRef, model: ModelRef, sources: ProvidersSources): ProviderSources {
  if (providerID === model.providerID) return sources
  return { ...sources, baseURL: undefined, keyVariable: undefined }
}

/** An engine has one provider of a name. Models that are not known yet are made when they are asked for. */
function onDemand(id: string, known: readonly Known[], sourcesOf: (ref: ModelRef) => ProviderSources): Provider {
  const [first] = known
  return {
    id,
    name: first?.provider.name ?? id,
    models: async () => (first ? first.provider.models() : []),
    async model(modelID) {
      const own = known.find(({ ref }) => ref.modelID === modelID)
      if (own) return own.provider.model(modelID)
      const ref = { providerID: id, modelID }
      return (await loadProvider(ref, sourcesOf(ref))).model(modelID)
    },
  }
}
