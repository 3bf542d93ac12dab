import type { ConnectionOptions } from "@pawl/provider-http"

const NO_KEY = "no-key"

/**
 * The SDKs want a key also where a gateway needs none, or where requests are signed in another way, and would look for one
 * in the environment by themselves. They get one that stands for none, and is in no request.
 */
export async function keyless(
  options: Pick<ConnectionOptions, "connectTimeout" | "fetch" | "proxy" | "ca" | "environment">,
): Promise<Required<Pick<ConnectionOptions, "apiKey" | "fetch">>> {
  const { connectTimeout, proxy, ca } = options
  const { createHTTPFetch } = await import("@pawl/provider-http")
  const environment = proxy === undefined ? options.environment : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
  const fetch = options.fetch ?? createHTTPFetch({ environment, connectTimeout, ca })
  const without: typeof globalThis.fetch = (input, init = {}) => {
    const left = headersOf(init).filter(([, value]) => value !== NO_KEY && value !== `Bearer ${NO_KEY}`)
    return fetch(input, { ...init, headers: Object.fromEntries(left) })
  }
  return { apiKey: NO_KEY, fetch: without }
}

/** Packages write them in any of the forms that a fetch takes. */
function headersOf({ headers = {} }: RequestInit): [string, string][] {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return entries as [string, string][]
}
