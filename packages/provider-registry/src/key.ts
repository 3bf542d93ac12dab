import { UsageError } from "@pawl/config/usage-error"
import { type Layer, layerOf } from "@pawl/config/layer"
import { type Address, presetAddress, presetOf } from "./address.ts"
import type { ConnectionSources } from "./connection-sources.ts"
import { keyVariablesOf, type Preset } from "./presets.ts"
import { isUsersSecret, type UntrustedRoute } from "./untrusted-route.ts"
import { vendorOfPackage } from "./provider-kind.ts"

/** A key, and where it comes from. */
export interface Key {
  /** Absent where none is sent. */
  readonly value?: string
  /** Its name, for masks. */
  readonly origin?: string
  /** Sentence that says what to do if the key is refused. */
  readonly hint: string
}

export interface KeyContext {
  readonly address: Address | undefined
  readonly way: UntrustedRoute | undefined
}

/** The first key that there is. Throws UsageError where one is needed, and where it would go to others. */
export function keyOf(id: string, { address, way }: KeyContext, sources: ConnectionSources): Key {
  const { keyVariable, environment, config, layers, signIn } = sources
  if (keyVariable !== undefined) {
    if (!environment[keyVariable]) throw new UsageError(`--api-key-env names ${keyVariable}, and that is not set.`)
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

/** `env` of the last layer that counts. */
function environmentNames(id: string, layers: readonly Layer[], counts: (layer: Layer) => boolean) {
  return layerOf(layers.filter(counts), ({ provider }) => provider?.[id]?.env)?.config.provider?.[id]?.env
}

/** A vendor's key is for its own address alone, whatever speaks its API elsewhere. */
function vendorAt(address: Address | undefined, vendor: Preset | undefined, { environment }: ConnectionSources) {
  const own = vendor && [vendor.baseURL, presetAddress(vendor, environment)]
  return address && own?.includes(address.baseURL) ? vendor : undefined
}

function notSent({ layer, does }: UntrustedRoute, variable = "with the variable that holds it"): UsageError {
  return new UsageError(
    `${layer.source} ${does}, and a key of yours is not sent to an address that came with a project, nor are headers of ` +
      `yours. If the key is meant to be, give --api-key-env ${variable}.`,
  )
}
