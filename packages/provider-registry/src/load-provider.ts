import type { Config } from "@pawl/config"
import type { ModelInfo, ModelRef, Provider } from "@pawl/core/provider"
import type { ConfiguredModel } from "@pawl/provider-openai-compatible"
import { requireAllowed } from "./allowed.ts"
import { configuredModels } from "./configured-models.ts"
import { isHere, kindOf } from "./connection.ts"
import { type PackageSources, packageProvider } from "./package-provider.ts"
import { presets } from "./presets.ts"
import { projectValues, untrustedRoute } from "./untrusted-route.ts"
import { type ProviderKind, providerKind } from "./provider-kind.ts"
import { REPLAY, type ReplaySources } from "./replay.ts"
import { signedIn, type SignedInSources } from "./signed-in.ts"
import { vendorProvider } from "./vendor-provider.ts"
import { providerTimeouts } from "./timeouts.ts"

export interface ProviderSources extends SignedInSources, PackageSources, ReplaySources {
  readonly config: Pick<Config, "provider" | "deadlines" | "enabled_providers" | "disabled_providers">
}

/** The provider of a model, ready to be asked for it. Throws UsageError when it cannot be reached as things are. */
export async function loadProvider(ref: ModelRef, sources: ProviderSources): Promise<Provider> {
  const { providerID, modelID } = ref
  if (providerID === REPLAY) {
    const { createReplayProvider } = await import("./replay-provider.ts")
    return createReplayProvider(sources)
  }
  const { environment, config } = sources
  requireAllowed(ref, config)
  const given = config.provider?.[providerID]
  const configured = ownModels(providerID, sources)
  // A known provider has more models than the configured ones.
  const isOpen = configured.length === 0 || presets.some(({ id }) => id === providerID)
  const isNew = isOpen && !configured.some(({ id }) => id === modelID)
  const written: readonly ConfiguredModel[] = isNew ? [...configured, { id: modelID }] : configured
  const known = await modelsOf(kindOf(providerID, sources), written)
  const { connection, models } = await signedIn({ ...nameOf(providerID, sources), models: known }, sources)
  const kind = providerKind(providerID, given?.npm, connection.baseURL)
  const changed = models === known ? undefined : models.map((info) => ({ ...info, ...wordsOf(configured, info.id) }))
  const options = {
    ...connection,
    // No proxy leads to this machine.
    environment: isHere(connection.baseURL) ? {} : environment,
    ...providerTimeouts(providerID, config),
    ...(given?.options?.promptCache === undefined ? {} : { promptCache: given.options.promptCache }),
  }
  if (kind === "package") {
    const { baseURL, ...others } = options
    const sdk = saysOfPackage(providerID, sources)
    const address = baseURL === "" ? {} : { baseURL }
    return packageProvider(given?.npm ?? "", { ...others, ...address, sdk, models: changed ?? configured }, sources)
  }
  if (kind !== "openai-compatible") return vendorProvider(kind, { ...options, models: changed ?? configured })
  const { openAICompatible } = await import("@pawl/provider-openai-compatible")
  // Without known models, every id is accepted, and the server has the list.
  return openAICompatible({
    ...options,
    ...(changed ? { models: changed } : configured.length > 0 && { models: written }),
  })
}

/** Returns the models that are known without a server: configured ones, and a vendor's catalogue. */
export async function modelsOf(kind: ProviderKind, written: readonly ConfiguredModel[]): Promise<readonly ModelInfo[]> {
  switch (kind) {
    case "package": {
      const { toModelInfo } = await import("@pawl/provider-http")
      return written.map((model) => toModelInfo(model))
    }
    case "openai-compatible": {
      const { toModelInfo } = await import("@pawl/provider-openai-compatible")
      return written.map((model) => toModelInfo(model))
    }
    default:
      return (await vendorProvider(kind, { models: written })).models()
  }
}

/** The configured models. Headers of the user's do not go a project's way. */
function ownModels(id: string, sources: ProviderSources): readonly ConfiguredModel[] {
  const models = configuredModels(sources.config.provider?.[id]?.models)
  if (!untrustedRoute(id, sources)) return models
  return models.map((model) => {
    return { ...model, headers: projectValues(sources.layers, id, ({ models: own }) => own?.[model.id]?.headers) }
  })
}

function saysOfPackage(id: string, sources: ProviderSources): Readonly<Record<string, unknown>> | undefined {
  if (untrustedRoute(id, sources)) return projectValues(sources.layers, id, ({ options }) => options?.sdk)
  return sources.config.provider?.[id]?.options?.sdk
}

function wordsOf(configured: readonly ConfiguredModel[], id: string): Partial<ConfiguredModel> {
  const { vendorID, headers, options, middleware } = configured.find((model) => model.id === id) ?? {}
  return { vendorID, headers, options, middleware }
}

function nameOf(
  id: string,
  { config }: Pick<ProviderSources, "config">,
): { readonly id: string; readonly name: string } {
  return { id, name: config.provider?.[id]?.name ?? presets.find((each) => each.id === id)?.name ?? id }
}
