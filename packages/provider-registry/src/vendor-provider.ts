import type { Provider } from "@pawl/core/provider"
import type { VendorOptions } from "@pawl/provider-http"
import { keyless } from "./keyless.ts"
import type { Vendor } from "./presets.ts"
import { proxiesOf } from "./proxies.ts"

/**
 * A provider that speaks a vendor's own API. Of `environment` it gets what the proxies are: the key is `apiKey` alone, so
 * that none goes to an address that it was not chosen for. Without an `apiKey` none is sent.
 */
export async function vendorProvider(vendor: Vendor, options: VendorOptions): Promise<Provider> {
  const environment = proxiesOf(options.environment)
  const isKeyless = !options.apiKey?.trim()
  return open(vendor, { ...options, environment, ...(isKeyless ? await keyless({ ...options, environment }) : {}) })
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
