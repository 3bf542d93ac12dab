import { type Layer, layerOf } from "@pawl/config/layer"
import type { ConnectionSources } from "./connection-sources.ts"
import { ollamaAddress } from "./ollama-host.ts"
import { type Preset, presets } from "./presets.ts"
import { isForeign, vendorOfPackage } from "./provider-kind.ts"

export interface Address {
  readonly baseURL: string
  /** Absent when no file says it. */
  readonly origin?: Layer | undefined
}

export function presetOf(id: string): Preset | undefined {
  return presets.find((each) => each.id === id)
}

/** Returns the base URL of a provider's API. Undefined if no source sets it. */
export function addressOf(id: string, sources: ConnectionSources): Address | undefined {
  const { baseURL, environment, config, layers } = sources
  if (baseURL) return { baseURL }
  const { options, api, npm } = config.provider?.[id] ?? {}
  if (options?.baseURL) {
    return { baseURL: options.baseURL, origin: layerOf(layers, ({ provider }) => provider?.[id]?.options?.baseURL) }
  }
  if (api) return { baseURL: api, origin: layerOf(layers, ({ provider }) => provider?.[id]?.api) }
  const signedIn = sources.signIn?.options?.baseURL
  if (signedIn) return { baseURL: signedIn }
  const preset = presetOf(id)
  // The package has an address of its own.
  if (isForeign(npm)) return undefined
  if (preset) return { baseURL: presetAddress(preset, environment) }
  if (environment["PAWL_BASE_URL"]) return { baseURL: environment["PAWL_BASE_URL"] }
  const vendor = vendorOfPackage(npm)
  return vendor && { baseURL: vendor.baseURL }
}

/** The address of a provider known by name, which the environment may change. */
export function presetAddress(preset: Preset, environment: ConnectionSources["environment"]): string {
  const own = preset.addressVariable === undefined ? undefined : environment[preset.addressVariable]
  if (own) return preset.kind === "anthropic" ? own.replace(/^(https?:\/\/[^/]+)\/?$/, "$1/v1") : own
  const ollama = preset.id === "ollama" ? environment["OLLAMA_HOST"] : undefined
  return (ollama === undefined ? undefined : ollamaAddress(ollama)) ?? preset.baseURL
}
