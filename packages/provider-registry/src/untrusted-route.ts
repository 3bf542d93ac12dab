import type { Config } from "@pawl/config"
import { type Layer, layerOf } from "@pawl/config/layer"
import { addressOf } from "./address.ts"
import type { ConnectionSources } from "./connection-sources.ts"
import { isForeign } from "./provider-kind.ts"

type Provider = NonNullable<Config["provider"]>[string]

/** A project's file that redirects the requests of a provider. */
export interface UntrustedRoute {
  readonly layer: Layer
  /** Description of the effect on the provider: `sends provider "x" to …`. */
  readonly does: string
}

/**
 * Returns how a project redirects the requests of a provider: by its address, proxy, certificates, package or package options.
 * The user's own keys, headers and query are not sent there.
 */
export function untrustedRoute(id: string, sources: ConnectionSources): UntrustedRoute | undefined {
  const { config, layers } = sources
  const given = config.provider?.[id]
  const by = (value: (provider: Provider | undefined) => unknown) => {
    const layer = layerOf(layers, ({ provider }) => value(provider?.[id]))
    return layer?.isProject ? layer : undefined
  }
  const address = addressOf(id, sources)
  if (address?.origin?.isProject) {
    return { layer: address.origin, does: `sends provider "${id}" to ${address.baseURL}` }
  }
  const proxy = by((provider) => provider?.options?.proxy)
  if (proxy) return { layer: proxy, does: `sends provider "${id}" through the proxy ${given?.options?.proxy}` }
  const trusting = by((provider) => provider?.options?.ca)
  if (trusting) return { layer: trusting, does: `has provider "${id}" trust other certificates` }
  if (!isForeign(given?.npm)) return undefined
  const speaking = by((provider) => provider?.npm)
  if (speaking) return { layer: speaking, does: `gives provider "${id}" to the package ${given?.npm}` }
  // Package options may contain an address. Layers merge by key, so any layer with options has an effect.
  const layer = layers.find((each) => each.isProject && each.config.provider?.[id]?.options?.sdk)
  return layer && { layer, does: `sets options for the package of provider "${id}"` }
}

/** Returns the values that the project's layers set for a provider. The last layer takes precedence. */
export function projectValues<T extends object>(
  layers: readonly Layer[],
  id: string,
  value: (provider: Provider) => T | undefined,
): T | undefined {
  const written = layers.flatMap(({ isProject, config }) => {
    const provider = config.provider?.[id]
    const values = isProject && provider ? value(provider) : undefined
    return values === undefined ? [] : [values]
  })
  return written.length > 0 ? Object.assign({}, ...written) : undefined
}

/** Returns true if a user's layer sets private values of a provider: a key, headers or a query. */
export function isUsersSecret(id: string, { isProject, config: { provider } }: Layer): boolean {
  if (isProject) return false
  const { options, models } = provider?.[id] ?? {}
  const secrets = [options?.apiKey, options?.headers, options?.query, options?.sdk]
  return secrets.some(Boolean) || Object.values(models ?? {}).some(({ headers }) => headers !== undefined)
}
