import { didYouMean } from "@pawl/config/suggestion"
import { UsageError } from "@pawl/config/usage-error"
import { absolute, baseOf, layerOf } from "@pawl/config/layer"
import { addressOf, presetOf } from "./address.ts"
import type { ConnectionSources } from "./connection-sources.ts"
import { keyOf } from "./key.ts"
import { presets } from "./presets.ts"
import { projectValues, untrustedRoute } from "./untrusted-route.ts"
import { isForeign, type ProviderKind, providerKind } from "./provider-kind.ts"

export type { ConnectionSources } from "./connection-sources.ts"

/** How to reach the server of a provider. */
export interface Connection {
  readonly id: string
  readonly name: string
  /** Empty where the package of the provider knows it. */
  readonly baseURL: string
  readonly apiKey?: string
  /** Sentence that says what to do if the key is refused. */
  readonly keyHint: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly proxy?: string
  /** Certificates as the text of a PEM file, or the absolute path of one. */
  readonly ca?: string
  /** How to start the server, where it is one of this machine. */
  readonly startHint?: string
  /** Implementation of fetch from a plugin. */
  readonly fetch?: typeof globalThis.fetch
}

/** Throws UsageError when the provider cannot be reached as things are; it names the ways to change that. */
export function connectionOf(id: string, sources: ConnectionSources): Connection {
  const preset = presetOf(id)
  const configured = sources.config.provider?.[id]
  const address = addressOf(id, sources)
  if (!address && !isForeign(configured?.npm)) throw unknownProvider(id, sources)
  if (address && !/^https?:$/.test(URL.parse(address.baseURL)?.protocol ?? "")) {
    throw new UsageError(`"${address.baseURL}" is not a valid server URL. Use a URL such as http://127.0.0.1:8080/v1.`)
  }
  const way = untrustedRoute(id, sources)
  const { value: apiKey, origin, hint: keyHint } = keyOf(id, { address, way }, sources)
  const given = way ? {} : (sources.signIn?.options ?? {})
  const says = (value: "headers" | "query") =>
    way ? projectValues(sources.layers, id, ({ options }) => options?.[value]) : configured?.options?.[value]
  const written = says("headers")
  const query = says("query")
  const headers = given.headers || written ? { ...given.headers, ...written } : undefined
  const proxy = configured?.options?.proxy
  const ca = certificatesOf(id, sources)
  sources.secrets?.add(apiKey, origin)
  return {
    id,
    name: configured?.name ?? preset?.name ?? id,
    baseURL: address?.baseURL ?? "",
    keyHint,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(headers === undefined ? {} : { headers }),
    ...(query === undefined ? {} : { query }),
    ...(proxy === undefined ? {} : { proxy: proxyAddress(id, proxy) }),
    ...(ca === undefined ? {} : { ca }),
    ...(preset?.start !== undefined && isHere(address?.baseURL) ? { startHint: preset.start } : {}),
    ...(given.fetch === undefined ? {} : { fetch: given.fetch }),
  }
}

/** The API that the provider speaks, at the address that is known without a sign-in. */
export function kindOf(id: string, sources: ConnectionSources): ProviderKind {
  return providerKind(id, sources.config.provider?.[id]?.npm, addressOf(id, sources)?.baseURL)
}

/** The address that a project's file names for the provider, and the file; undefined where it comes from elsewhere. */
export function projectAddress(id: string, sources: ConnectionSources): { baseURL: string; file: string } | undefined {
  const address = addressOf(id, sources)
  return address?.origin?.isProject ? { baseURL: address.baseURL, file: address.origin.source } : undefined
}

/** Returns true for a URL of this machine. */
export function isHere(baseURL: string | undefined): boolean {
  const { hostname = "" } = URL.parse(baseURL ?? "") ?? {}
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname)
}

function certificatesOf(id: string, { config, layers, environment }: ConnectionSources): string | undefined {
  const ca = config.provider?.[id]?.options?.ca
  if (ca === undefined || ca.includes("-----BEGIN ")) return ca
  const layer = layerOf(layers, ({ provider }) => provider?.[id]?.options?.ca)
  return absolute(ca, { base: layer && baseOf(layer), home: environment["HOME"] ?? environment["USERPROFILE"] })
}

function proxyAddress(id: string, proxy: string): string {
  if (/^https?:$/.test(URL.parse(proxy)?.protocol ?? "")) return proxy
  throw new UsageError(
    `provider.${id}.options.proxy is not a valid proxy URL. Use a URL such as http://127.0.0.1:3128.`,
  )
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
    `Provider "${id}" is not known${didYouMean(id, known, '"') || "."} Known: ${known.join(", ")}. ` +
      `For another server give --base-url, or write its address into pawl.jsonc under provider.${id}.options.baseURL.`,
  )
}
