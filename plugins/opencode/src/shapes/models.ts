import type { ModelRef, Provider } from "@pawl/core/provider"
import { type OpenCodeModel, openCodeModel, type OpenCodeProvider, openCodeProvider } from "@pawl/server"

/** A model and its provider, as hooks of OpenCode are told of them. */
export interface ToldModel {
  readonly model: OpenCodeModel
  readonly provider: OpenCodeProvider & { readonly info: OpenCodeProvider }
}

export type Models = (ref: ModelRef) => Promise<ToldModel>

/** Asks each provider for its models until it has told some. What is not known of a model is told as far as its name goes. */
export function createModels(providers: () => readonly Provider[] | Promise<readonly Provider[]>): Models {
  const asked = new WeakMap<Provider, Promise<OpenCodeProvider>>()
  return async ({ providerID, modelID }) => {
    const found = (await providers()).find(({ id }) => id === providerID)
    const telling = found && (asked.get(found) ?? openCodeProvider(found))
    if (found && telling) asked.set(found, telling)
    // It could not be reached, perhaps; the next one to ask may have more luck.
    if (found && Object.keys((await telling)?.models ?? {}).length === 0) asked.delete(found)
    const unknown: OpenCodeProvider = {
      id: providerID,
      name: providerID,
      source: "config",
      env: [],
      options: {},
      models: {},
    }
    // Each plugin may change what it gets.
    const provider = structuredClone((await telling) ?? unknown)
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
