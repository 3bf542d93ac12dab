import type { Config } from "@pawl/config"
import type { Secrets } from "@pawl/secrets"
import { UsageError } from "../arguments/usage-error.ts"
import { type Layer, layerOf } from "../settings/layer.ts"
import type { SignIn } from "../auth/provider-auth.ts"
import { type Preset, presets, setKeyVariable } from "./presets.ts"
import { kindOfPackage, type ProviderKind, providerKind, vendorOfPackage } from "./provider-kind.ts"

/** What can say how to reach a provider. */
export interface ConnectionSources {
  /** Of `--base-url`. */
  readonly baseURL?: string | undefined
  /** Of `--api-key-env`. */
  readonly keyVariable?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly config: Pick<Config, "provider">
  readonly layers: readonly Layer[]
  /** What somebody has signed in with, and what plugins make of it. */
  readonly signIn?: SignIn | undefined
  /** Is told the key. */
  readonly secrets?: Pick<Secrets, "add"> | undefined
}

/** How to reach the server of a provider. */
export interface Connection {
  readonly id: string
  readonly name: string
  readonly baseURL: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Of a plugin. */
  readonly fetch?: typeof globalThis.fetch
}

/** A key, and where it comes from. */
interface Key {
  readonly value: string
  readonly origin: string
}

interface Address {
  readonly baseURL: string
  /** Absent when the user gave it for this run. */
  readonly origin?: Layer | undefined
}

/** Throws UsageError when the provider cannot be reached as things are; it names the ways to change that. */
export function connectionOf(id: string, sources: ConnectionSources): Connection {
  const preset = presets.find((each) => each.id === id)
  const configured = sources.config.provider?.[id]
  if (configured?.npm !== undefined) kindOfPackage(id, configured.npm)
  const address = addressOf(id, preset, sources)
  if (!address) throw unknownProvider(id, sources)
  if (!/^https?:$/.test(URL.parse(address.baseURL)?.protocol ?? "")) {
    throw new UsageError(`"${address.baseURL}" is no address of a server. Give one such as http://127.0.0.1:8080/v1.`)
  }
  const { value: apiKey, origin } = keyOf(id, preset, address, sources) ?? {}
  const isProject = address.origin?.isProject
  const given = isProject ? {} : (sources.signIn?.options ?? {})
  const written = isProject ? projectHeaders(id, sources.layers) : configured?.options?.headers
  const headers = given.headers || written ? { ...given.headers, ...written } : undefined
  sources.secrets?.add(apiKey, origin)
  return {
    id,
    name: configured?.name ?? preset?.name ?? id,
    baseURL: address.baseURL,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers }),
    ...(given.fetch === undefined ? {} : { fetch: given.fetch }),
  }
}

/** The API that the provider speaks, at the address that is known without a sign-in. Throws UsageError. */
export function kindOf(id: string, sources: ConnectionSources): ProviderKind {
  const preset = presets.find((each) => each.id === id)
  return providerKind(id, sources.config.provider?.[id]?.npm, addressOf(id, preset, sources)?.baseURL)
}

/** The address that a project's file names for the provider, and the file; undefined where it comes from elsewhere. */
export function projectAddress(id: string, sources: ConnectionSources): { baseURL: string; file: string } | undefined {
  const preset = presets.find((each) => each.id === id)
  const address = addressOf(id, preset, sources)
  return address?.origin?.isProject ? { baseURL: address.baseURL, file: address.origin.source } : undefined
}

function projectHeaders(id: string, layers: readonly Layer[]): Record<string, string> | undefined {
  const written = layers.flatMap(({ isProject, config }) => {
    const headers = config.provider?.[id]?.options?.headers
    return isProject && headers ? [headers] : []
  })
  return written.length > 0 ? Object.assign({}, ...written) : undefined
}

function addressOf(id: string, preset: Preset | undefined, sources: ConnectionSources): Address | undefined {
  const { baseURL, environment, config, layers } = sources
  if (baseURL) return { baseURL }
  const configured = config.provider?.[id]?.options?.baseURL
  if (configured)
    return { baseURL: configured, origin: layerOf(layers, (layer) => layer.provider?.[id]?.options?.baseURL) }
  const signedIn = sources.signIn?.options?.baseURL
  if (signedIn) return { baseURL: signedIn }
  if (id === "openai" && environment["OPENAI_BASE_URL"]) return { baseURL: environment["OPENAI_BASE_URL"] }
  if (preset) return { baseURL: preset.baseURL }
  if (environment["PAWL_BASE_URL"]) return { baseURL: environment["PAWL_BASE_URL"] }
  const vendor = vendorOfPackage(id, config.provider?.[id]?.npm)
  return vendor && { baseURL: vendor.baseURL }
}

function keyOf(
  id: string,
  preset: Preset | undefined,
  address: Address,
  { keyVariable, environment, config, layers, signIn }: ConnectionSources,
): Key | undefined {
  if (keyVariable !== undefined) {
    const key = environment[keyVariable]
    if (!key) throw new UsageError(`--api-key-env names ${keyVariable}, and that is not set.`)
    return { value: key, origin: keyVariable }
  }
  const { origin } = address
  if (origin?.isProject) {
    const isSecret = ({ isProject, config: { provider } }: Layer) =>
      !isProject && Boolean(provider?.[id]?.options?.apiKey ?? provider?.[id]?.options?.headers)
    if (layers.some(isSecret)) throw notSent(id, address.baseURL, origin)
  }
  const written = config.provider?.[id]?.options?.apiKey
  if (written) return { value: written, origin: `provider.${id}.options.apiKey` }
  if (signIn && origin?.isProject) throw notSent(id, address.baseURL, origin)
  const { apiKey: given, headers, fetch } = signIn?.options ?? {}
  const kept = given ?? signIn?.key
  if (kept) return { value: kept, origin: `auth.${id}.key` }
  // A plugin signs the requests in its own way.
  if (given !== undefined || headers || fetch) return undefined

  const known = preset ?? vendorAt(address, vendorOfPackage(id, config.provider?.[id]?.npm))
  const variable = setKeyVariable(known, environment) ?? (environment["PAWL_API_KEY"] ? "PAWL_API_KEY" : undefined)
  if (variable === undefined && known?.keyVariable !== undefined) {
    throw new UsageError(
      `${known.name} needs a key. Set ${known.keyVariable}, or name another variable with --api-key-env.`,
      `Or have one kept: pawl auth login ${id}`,
    )
  }
  if (variable === undefined) return undefined
  if (origin?.isProject) throw notSent(id, address.baseURL, origin, variable)
  return { value: environment[variable] ?? "", origin: variable }
}

function notSent(
  id: string,
  baseURL: string,
  { source }: Layer,
  variable = "with the variable that holds it",
): UsageError {
  return new UsageError(
    `${source} sends provider "${id}" to ${baseURL}, and a key of yours is not sent to an address ` +
      `that came with a project, nor are headers of yours. If the key is meant to be, give --api-key-env ${variable}.`,
  )
}

/** A vendor's key is for its own address alone, whatever speaks its API elsewhere. */
function vendorAt({ baseURL }: Address, vendor: Preset | undefined): Preset | undefined {
  return vendor?.baseURL === baseURL ? vendor : undefined
}

function unknownProvider(id: string, { config, layers }: ConnectionSources): UsageError {
  const untrusted = layers.findLast(({ withheld }) => withheld?.provider?.[id])
  if (untrusted) {
    return new UsageError(
      `Provider "${id}" is the word of ${untrusted.source} alone, and this project is not trusted.`,
      "To see what it would do and allow it: pawl trust",
    )
  }
  const known = [...new Set([...Object.keys(config.provider ?? {}), ...presets.map((preset) => preset.id), "replay"])]
  return new UsageError(
    `Provider "${id}" is not known. Known: ${known.join(", ")}. ` +
      `For another server give --base-url, or write its address into pawl.jsonc under provider.${id}.options.baseURL.`,
  )
}
