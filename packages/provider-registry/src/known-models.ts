import type { ModelConfig } from "@pawl/config"
import type { ModelInfo } from "@pawl/core/provider"
import { UsageError } from "@pawl/config/usage-error"
import { isAllowed, isEnabled } from "./allowed.ts"
import { configuredModels } from "./configured-models.ts"
import { isHere, kindOf } from "./connection.ts"
import { modelsOf, type ProviderSources } from "./load-provider.ts"
import { findLocalServers } from "./local-servers.ts"
import { formatModelRef } from "./model-ref.ts"
import { presets, setKeyVariable } from "./presets.ts"
import { ownScripts, REPLAY } from "./replay.ts"
import { signedIn } from "./signed-in.ts"

export interface KnownModel {
  /** provider/model */
  readonly ref: string
  /** How it is known, for people. */
  readonly source: string
  /** Absent where nothing is known of it. */
  readonly info?: ModelInfo
  /** As the configuration says it. */
  readonly status?: NonNullable<ModelConfig["status"]>
}

export interface KnownModelSources extends Omit<ProviderSources, "script" | "pace"> {
  /** Providers with saved credentials. */
  readonly kept?: ReadonlySet<string> | undefined
}

/**
 * Returns the available models: those of the configuration, of keys in the environment, of running local servers, and scripts.
 * For one provider, returns its catalogue, or the list of its server if the configuration has no models. Throws UsageError if
 * the provider has no models.
 */
export async function knownModels(sources: KnownModelSources, providerID: string | undefined): Promise<KnownModel[]> {
  const found = await (providerID === undefined ? allModels(sources) : modelsOfProvider(providerID, sources))
  const { config } = sources
  return found.flatMap(({ providerID: id, modelID, ...known }) => {
    if (!isAllowed({ providerID: id, modelID }, config)) return []
    const status = config.provider?.[id]?.models?.[modelID]?.status
    return [{ ref: formatModelRef({ providerID: id, modelID }), ...known, ...(status === undefined ? {} : { status }) }]
  })
}

interface Found extends Pick<KnownModel, "source" | "info"> {
  readonly providerID: string
  readonly modelID: string
}

async function allModels(sources: KnownModelSources): Promise<Found[]> {
  const local = findLocalServers(sources)
  return [
    ...(await configured(sources)),
    ...(await keyed(sources)),
    ...(await local).flatMap(({ preset: { id, name }, models }) => foundOf(id, models, `${name}, which is running`)),
    ...scripts(sources),
  ]
}

async function modelsOfProvider(providerID: string, sources: KnownModelSources): Promise<Found[]> {
  if (providerID === REPLAY) return scripts(sources)
  if (!isEnabled(providerID, sources.config)) return []
  const written = configuredModels(sources.config.provider?.[providerID]?.models)
  const kind = kindOf(providerID, sources)
  const own = await modelsOf(kind, written)
  const known = { id: providerID, name: providerID, models: own }
  if (kind !== "openai-compatible") {
    const isKept = await sources.auth?.isKept(providerID)
    const models = isKept ? (await signedIn(known, sources)).models : ((await sources.auth?.models(known)) ?? own)
    if (models !== own) return foundOf(providerID, models, "plugins")
    if (own.length === 0) throw noModels(providerID)
    const isWritten = (id: string) => written.some((model) => model.id === id)
    return own.flatMap((model) => foundOf(providerID, [model], isWritten(model.id) ? "configuration" : "catalogue"))
  }
  if (own.length > 0) {
    // To know these it takes no key.
    const models = (await sources.auth?.models(known)) ?? own
    return foundOf(providerID, models, models === own ? "configuration" : "plugins")
  }
  const { connection, models } = await signedIn(known, sources)
  if (models !== own) return foundOf(providerID, models, "plugins")
  const { openAICompatible } = await import("@pawl/provider-openai-compatible")
  const environment = isHere(connection.baseURL) ? {} : sources.environment
  const listed = await openAICompatible({ ...connection, environment }).models()
  if (listed.length === 0) throw new UsageError(`${connection.name} at ${connection.baseURL} has no models.`)
  return foundOf(providerID, listed, connection.baseURL)
}

function noModels(providerID: string): UsageError {
  return new UsageError(
    `No model of "${providerID}" is known: its package takes any id. ` +
      `To have some listed, write them into pawl.jsonc under provider.${providerID}.models.`,
  )
}

function foundOf(providerID: string, models: readonly ModelInfo[], source: string): Found[] {
  return models.map((info) => ({ providerID, modelID: info.id, source, info }))
}

async function configured(sources: KnownModelSources): Promise<Found[]> {
  const all = Object.entries(sources.config.provider ?? {}).map(async ([providerID, { models = {} }]) => {
    const written = configuredModels(models)
    if (written.length === 0) return []
    const infos = await modelsOf(kindOf(providerID, sources), written)
    const own = written.flatMap(({ id }) => infos.find((info) => info.id === id) ?? [])
    return foundOf(providerID, own, "configuration")
  })
  return (await Promise.all(all)).flat()
}

/** Returns the default model of each provider with a key. The whole list is requested only for a named provider. */
async function keyed(sources: KnownModelSources): Promise<Found[]> {
  const { environment, kept } = sources
  const found = presets.map(async (preset) => {
    const { id, model, keyVariable } = preset
    if (keyVariable === undefined || model === undefined) return []
    const by = kept?.has(id) ? "signed in" : setKeyVariable(preset, environment)
    if (by === undefined) return []
    const info = (await modelsOf(kindOf(id, sources), [])).find((each) => each.id === model)
    const source = `${by} · all: pawl models ${id}`
    return [{ providerID: id, modelID: model, source, ...(info ? { info } : {}) }]
  })
  return (await Promise.all(found)).flat()
}

function scripts({ demoDirectory }: Pick<KnownModelSources, "demoDirectory">): Found[] {
  return Object.keys(ownScripts(demoDirectory)).map((modelID) => {
    return { providerID: REPLAY, modelID, source: "a script, without a model" }
  })
}
