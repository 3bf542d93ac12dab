import type { ModelRef, Provider } from "@pawl/core/provider"
import { type OpenCodeModel, openCodeModel, type OpenCodeProvider, openCodeProvider } from "@pawl/server"

/** A model and its provider in the form that OpenCode's hooks receive. */
export interface ModelForHooks {
  readonly model: OpenCodeModel
  readonly provider: OpenCodeProvider & { readonly info: OpenCodeProvider }
}

export type Models = (ref: ModelRef) => Promise<ModelForHooks>

/** Asks each provider for its models until it returns some. For an unknown model only the name is known. */
export function createModels(providers: () => readonly Provider[] | Promise<readonly Provider[]>): Models {
  const known = new WeakMap<Provider, Promise<OpenCodeProvider>>()
  return async ({ providerID, modelID }) => {
    const found = (await providers()).find(({ id }) => id === providerID)
    const listing = found && (known.get(found) ?? openCodeProvider(found))
    if (found && listing) known.set(found, listing)
    // The provider may have been unreachable: the next call asks again.
    if (found && Object.keys((await listing)?.models ?? {}).length === 0) known.delete(found)
    const unknown: OpenCodeProvider = {
      id: providerID,
      name: providerID,
      source: "config",
      env: [],
      options: {},
      models: {},
    }
    // A copy, because plugins may change it.
    const provider = structuredClone((await listing) ?? unknown)
    const model = provider.models[modelID] ?? openCodeModel(providerID, withoutFigures(modelID))
    return { model, provider: { ...provider, info: provider } }
  }
}

function withoutFigures(id: string) {
  return {
    ...{ id, name: id },
    limit: { context: 0, output: 0 },
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    capabilities: { reasoning: false, attachment: false, toolCall: true },
  }
}
