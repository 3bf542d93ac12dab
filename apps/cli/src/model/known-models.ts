import { UsageError } from "../arguments/usage-error.ts"
import { kindOf } from "./connection.ts"
import { configuredModels, modelsOf } from "./load-provider.ts"
import { formatModelRef } from "./model-ref.ts"
import { findLocalServers } from "./local-servers.ts"
import { presets, setKeyVariable } from "./presets.ts"
import { ownScripts, REPLAY } from "./replay.ts"
import { signedIn, type SignedInSources } from "./signed-in.ts"

export interface KnownModel {
  /** provider/model */
  readonly ref: string
  /** How it is known, for people. */
  readonly source: string
}

export interface KnownModelSources extends SignedInSources {
  readonly demoDirectory: string
  /** Providers that somebody has signed in to. */
  readonly kept?: ReadonlySet<string> | undefined
}

/**
 * What can be used from here: the configuration's models, those that keys in the environment open, those of local servers
 * that answer, and scripts. With a provider its own: those of its catalogue, or asked of its server where the configuration names none. Throws
 * UsageError when the provider has none.
 */
export async function knownModels(sources: KnownModelSources, providerID: string | undefined): Promise<KnownModel[]> {
  if (providerID !== undefined) return modelsOfProvider(providerID, sources)
  const local = await findLocalServers()
  return [
    ...configured(sources),
    ...keyed(sources),
    ...local.flatMap(({ preset: { id, name }, models }) => {
      return models.map((modelID) => ({
        ref: formatModelRef({ providerID: id, modelID }),
        source: `${name} on this machine`,
      }))
    }),
    ...scripts(sources),
  ]
}

async function modelsOfProvider(providerID: string, sources: KnownModelSources): Promise<KnownModel[]> {
  if (providerID === REPLAY) return scripts(sources)
  const written = configuredModels(sources.config.provider?.[providerID]?.models)
  const kind = kindOf(providerID, sources)
  const own = await modelsOf(kind, written)
  const known = { id: providerID, name: providerID, models: own }
  const refs = (ids: readonly { readonly id: string }[], source: string) => {
    return ids.map(({ id }) => ({ ref: formatModelRef({ providerID, modelID: id }), source }))
  }
  if (kind !== "openai-compatible") {
    const isKept = await sources.auth?.isKept(providerID)
    const models = isKept ? (await signedIn(known, sources)).models : ((await sources.auth?.models(known)) ?? own)
    if (models !== own) return refs(models, "plugins")
    const isWritten = (id: string) => written.some((model) => model.id === id)
    return own.flatMap((model) => refs([model], isWritten(model.id) ? "configuration" : "catalogue"))
  }
  if (own.length > 0) {
    // To know these it takes no key.
    const models = (await sources.auth?.models(known)) ?? own
    return models === own ? configured(sources, providerID) : refs(models, "plugins")
  }
  const { connection, models } = await signedIn(known, sources)
  if (models !== own) return refs(models, "plugins")
  const { openAICompatible } = await import("@pawl/provider-openai-compatible")
  const listed = await openAICompatible(connection).models()
  if (listed.length === 0) throw new UsageError(`${connection.name} at ${connection.baseURL} has no models.`)
  return refs(listed, connection.baseURL)
}

function configured({ config }: KnownModelSources, only?: string): KnownModel[] {
  return Object.entries(config.provider ?? {}).flatMap(([providerID, { models = {} }]) => {
    if (only !== undefined && only !== providerID) return []
    return Object.keys(models).map((modelID) => ({
      ref: formatModelRef({ providerID, modelID }),
      source: "configuration",
    }))
  })
}

/** Of a provider with a key only the usual model is told: its list is asked for by its name. */
function keyed({ environment, kept }: KnownModelSources): KnownModel[] {
  return presets.flatMap((preset) => {
    const { id, model, keyVariable } = preset
    if (keyVariable === undefined || model === undefined) return []
    const by = kept?.has(id) ? "signed in" : setKeyVariable(preset, environment)
    if (by === undefined) return []
    return [{ ref: formatModelRef({ providerID: id, modelID: model }), source: `${by} · all: pawl models ${id}` }]
  })
}

function scripts({ demoDirectory }: KnownModelSources): KnownModel[] {
  return Object.keys(ownScripts(demoDirectory)).map((modelID) => {
    return { ref: formatModelRef({ providerID: REPLAY, modelID }), source: "a script, without a model" }
  })
}
