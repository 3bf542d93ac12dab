import { UsageError } from "@pawl/config/usage-error"
import { type Layer, layerOf } from "@pawl/config/layer"
import { type Address, presetAddress, presetOf } from "./address.ts"
import type { ConnectionSources } from "./connection-sources.ts"
import { keyVariablesOf, type Preset } from "./presets.ts"
import { isUsersSecret, type UntrustedRoute } from "./untrusted-route.ts"
import { vendorOfPackage } from "./provider-kind.ts"

/** A key, and where it comes from. */
export interface Key {
  /** Absent if requests are sent without a key. */
  readonly value?: string
  /** The variable or configuration key that contains it. Its name replaces the key in masked output. */
  readonly origin?: string
  /** Sentence that says what to do if the key is refused. */
  readonly hint: string
}

export interface KeyContext {
  readonly address: Address | undefined
  readonly way: UntrustedRoute | undefined
}

/**
 * Returns the key of the source with the highest precedence. Throws UsageError if a required key is missing, or if the key
 * would be sent where an untrusted project directs it.
 */
export function keyOf(id: string, { address, way }: KeyContext, sources: ConnectionSources): Key {
  const { keyVariable, environment, config, layers, signIn } = sources
  if (keyVariable !== undefined) {
    if (!environment[keyVariable]) throw new UsageError(`--api-key-env names ${keyVariable}, which is not set.`)
    return ofVariable(keyVariable, environment)
  }
  if (way && layers.some((layer) => isUsersSecret(id, layer))) throw notSent(way)
  const written = config.provider?.[id]?.options?.apiKey
  if (written) {
    const layer = layerOf(layers, ({ provider }) => provider?.[id]?.options?.apiKey)
    const place = `provider.${id}.options.apiKey`
    return { value: written, origin: place, hint: `Check ${place}${layer ? ` in ${layer.source}` : ""}.` }
  }
  if (signIn && way) throw notSent(way)
  const { apiKey: given, headers, fetch } = signIn?.options ?? {}
  const kept = given ?? signIn?.key
  const hint = `Sign in again: pawl auth login ${id}`
  if (kept) return { value: kept, origin: `auth.${id}.key`, hint }
  // A plugin signs the requests in its own way.
  if (given !== undefined || headers || fetch) return { hint }
  return environmentKey(id, { address, way }, sources)
}

function environmentKey(id: string, { address, way }: KeyContext, sources: ConnectionSources): Key {
  const { environment, config, layers } = sources
  const known = presetOf(id) ?? vendorAt(address, vendorOfPackage(config.provider?.[id]?.npm), sources)
  const own = environmentNames(id, layers, (layer) => Boolean(way) || !layer.isProject)
  const named = own ?? (known ? keyVariablesOf(known) : [])
  const variable = [...named, "PAWL_API_KEY"].find((name) => environment[name])
  if (variable !== undefined) {
    if (way) throw notSent(way, variable)
    return ofVariable(variable, environment)
  }
  const [usual] = named
  if (usual !== undefined && !way) {
    const name = config.provider?.[id]?.name ?? known?.name ?? id
    throw new UsageError(
      `${name} needs a key. Set ${usual}, or name another variable with --api-key-env.`,
      `Or have one kept: pawl auth login ${id}`,
    )
  }
  const hint = way
    ? `If it wants a key, name the variable that holds it: --api-key-env ${usual ?? "<NAME>"}`
    : `If it wants a key: pawl auth login ${id}, or set PAWL_API_KEY.`
  return { hint }
}

function ofVariable(name: string, environment: ConnectionSources["environment"]): Key {
  return { value: environment[name] ?? "", origin: name, hint: `Check the variable ${name}.` }
}

/** Returns `env` of the highest layer that `counts` accepts. */
function environmentNames(id: string, layers: readonly Layer[], counts: (layer: Layer) => boolean) {
  return layerOf(layers.filter(counts), ({ provider }) => provider?.[id]?.env)?.config.provider?.[id]?.env
}

/** Returns the vendor if the address is its own, since a vendor's key must not be sent to another server with its API. */
function vendorAt(address: Address | undefined, vendor: Preset | undefined, { environment }: ConnectionSources) {
  const own = vendor && [vendor.baseURL, presetAddress(vendor, environment)]
  return address && own?.includes(address.baseURL) ? vendor : undefined
}

function notSent({ layer, does }: UntrustedRoute, variable = "<NAME>"): UsageError {
  return new UsageError(
    `${layer.source} ${does}. pawl does not send your keys or headers to a server that a project configures. ` +
      `To send a key for this run, pass --api-key-env ${variable}.`,
  )
}
