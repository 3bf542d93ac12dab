import type { Provider } from "@pawl/core"
import type { VendorOptions } from "@pawl/provider-http"
import { keyVariablesOf, presets } from "./presets.ts"
import type { Vendor } from "./provider-kind.ts"

/**
 * A provider that speaks a vendor's own API. Of `environment` it gets what the proxies are, and a key only where it is
 * `apiKey`: so that none goes to an address that it was not chosen for. Without an `apiKey` none is sent.
 */
export async function vendorProvider(vendor: Vendor, options: VendorOptions): Promise<Provider> {
  const { apiKey, environment = {}, ...others } = options
  const proxies = Object.fromEntries(
    Object.entries(environment).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name)),
  )
  if (!apiKey?.trim()) return open(vendor, { ...others, ...(await keyless(options, proxies)) })
  const variables = presets.filter(({ kind }) => kind === vendor).flatMap((preset) => keyVariablesOf(preset))
  const variable = variables.find((name) => environment[name] === apiKey)
  // Errors then name the variable.
  const key =
    variable === undefined ? { apiKey, environment: proxies } : { environment: { ...proxies, [variable]: apiKey } }
  return open(vendor, { ...others, ...key })
}

async function open(vendor: Vendor, options: VendorOptions): Promise<Provider> {
  switch (vendor) {
    case "anthropic":
      return (await import("@pawl/provider-anthropic")).anthropic(options)
    case "google":
      return (await import("@pawl/provider-google")).google(options)
    case "openai":
      return (await import("@pawl/provider-openai")).openai(options)
  }
}

const NO_KEY = "no-key"

/** The SDKs want a key also where a gateway needs none, or where requests are signed in another way. */
async function keyless({ connectTimeout, fetch: given }: VendorOptions, environment: VendorOptions["environment"]) {
  const { createHTTPFetch } = await import("@pawl/provider-http")
  const fetch = given ?? createHTTPFetch({ environment, connectTimeout })
  const without: typeof globalThis.fetch = (input, init = {}) => {
    const headers = Object.entries({ ...(init.headers as Readonly<Record<string, string>> | undefined) })
    const left = headers.filter(([, value]) => value !== NO_KEY && value !== `Bearer ${NO_KEY}`)
    return fetch(input, { ...init, headers: Object.fromEntries(left) })
  }
  return { apiKey: NO_KEY, fetch: without }
}
