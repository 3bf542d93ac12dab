import { UsageError } from "../arguments/usage-error.ts"
import { connectionOf, type ConnectionSources } from "./connection.ts"
import { formatModelRef } from "./model-ref.ts"
import { findLocalServers } from "./local-servers.ts"
import { presets } from "./presets.ts"
import { ownScripts, REPLAY } from "./replay.ts"

export interface KnownModel {
  /** provider/model */
  readonly ref: string
  /** How it is known, for people. */
  readonly source: string
}

export interface KnownModelSources extends ConnectionSources {
  readonly demoDirectory: string
}

/**
 * What can be used from here: the configuration's models, those that keys in the environment open, those of local servers
 * that answer, and scripts. With a provider its own, asked of its server where the configuration names none. Throws
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
  const known = configured(sources).filter(({ ref }) => ref.startsWith(`${providerID}/`))
  if (known.length > 0) return known
  const connection = connectionOf(providerID, sources)
  const { openAICompatible } = await import("@pawl/provider-openai-compatible")
  const models = await openAICompatible(connection).models()
  if (models.length === 0) throw new UsageError(`${connection.name} at ${connection.baseURL} has no models.`)
  return models.map(({ id }) => ({ ref: formatModelRef({ providerID, modelID: id }), source: connection.baseURL }))
}

function configured({ config }: KnownModelSources): KnownModel[] {
  return Object.entries(config.provider ?? {}).flatMap(([providerID, { models = {} }]) => {
    return Object.keys(models).map((modelID) => ({
      ref: formatModelRef({ providerID, modelID }),
      source: "configuration",
    }))
  })
}

/** Of a provider with a key only the usual model is told: its list is asked for by its name. */
function keyed({ environment }: KnownModelSources): KnownModel[] {
  return presets.flatMap(({ id, model, keyVariable }) => {
    if (keyVariable === undefined || model === undefined || !environment[keyVariable]) return []
    return [
      { ref: formatModelRef({ providerID: id, modelID: model }), source: `${keyVariable} · all: pawl models ${id}` },
    ]
  })
}

function scripts({ demoDirectory }: KnownModelSources): KnownModel[] {
  return Object.keys(ownScripts(demoDirectory)).map((modelID) => {
    return { ref: formatModelRef({ providerID: REPLAY, modelID }), source: "a script, without a model" }
  })
}
