import { ProviderError } from "@pawl/core/provider"
import type { ErrorSource } from "@pawl/provider-ai-sdk"
import { createHTTPClient } from "./http-fetch.ts"
import type { Environment } from "./http-transport.ts"
import { type GivenKey, givenKey, unsendableKey } from "./key.ts"
import { streamFetch } from "./stream-fetch.ts"
import { withQuery } from "./with-query.ts"
import { withWaits } from "./with-waits.ts"

/** How to reach the server of a provider. */
export interface ConnectionOptions {
  /** Surrounding blanks are removed. Default: the vendor's variable in `environment`. */
  apiKey?: string | undefined
  /** The base URL of the API. */
  baseURL?: string | undefined
  /** Sent with each request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Added to each URL. */
  query?: Readonly<Record<string, string>> | undefined
  /** Variables to look for a key and for proxies in, such as `process.env`. Default: none. */
  environment?: Environment | undefined
  /** The URL of a proxy for every request, instead of those in `environment`. */
  proxy?: string | undefined
  /** Certificates to trust besides Node's own, as the text of a PEM file. */
  ca?: string | readonly string[] | undefined
  /** Milliseconds to establish a connection; 0 for no limit. Default: 30 s. Ignored with a `fetch` of your own. */
  connectTimeout?: number | undefined
  /** Milliseconds for the whole of a request and its answer; 0, the default, for no limit. */
  timeout?: number | undefined
  /** Milliseconds from a request to the head of its answer; 0, the default, for no limit. */
  headerTimeout?: number | undefined
  /** Milliseconds between two pieces of an answer; 0, the default, for no limit. */
  chunkTimeout?: number | undefined
  /** Advice for a refused key, as a sentence. Default: where the key was found. */
  keyHint?: string | undefined
  /** Default: a fetch over node:http, which loads faster than the global one. Your own ignores `proxy` and `ca`. */
  fetch?: typeof globalThis.fetch | undefined
}

/** The fixed properties of a kind of provider. */
export interface ConnectionPlan {
  readonly id: string
  readonly baseURL: string
  /** Advice for a server that does not speak this API, as a sentence. */
  readonly baseURLHint: string
  /** Variables that may hold the key, the usual one first. */
  readonly keyVariables?: readonly string[]
  /** True if every request needs a key. */
  readonly needsKey: boolean
}

export interface Connection {
  readonly baseURL: string
  /** Without surrounding blanks. */
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** For the errors of this server. */
  readonly source: ErrorSource
  /** Adds the query. */
  readonly fetch: typeof globalThis.fetch
  /** Like `fetch`, for requests whose answer is an event stream. */
  readonly streamFetch: typeof globalThis.fetch
  /** Opens a connection for a request that follows soon. Does not throw. Does nothing with a `fetch` of your own. */
  readonly connect: () => void
  /** Throws ProviderError "auth" for a key that is missing or cannot be sent. */
  checkKey(): void
}

/** Opens nothing: sockets and modules come with the first request. */
export function createConnection(plan: ConnectionPlan, options: ConnectionOptions): Connection {
  const { headers = {}, query = {}, ca, connectTimeout, timeout } = options
  const waits = { header: options.headerTimeout, chunk: options.chunkTimeout }
  const key = givenKey(options, plan.keyVariables)
  const source = errorSource(plan, options, key)
  const environment = options.proxy === undefined ? options.environment : viaProxy(options.proxy)
  const client = createHTTPClient({ environment, ca, connectTimeout })
  const fetch = withQuery(withWaits(options.fetch ?? client.fetch, waits), query)
  return {
    baseURL: plan.baseURL,
    apiKey: key?.text,
    headers,
    source,
    fetch,
    connect() {
      if (!options.fetch) client.connect(plan.baseURL)
    },
    streamFetch: streamFetch(fetch, { source, timeout, baseURLHint: plan.baseURLHint }),
    checkKey() {
      const refusal = (message: string) =>
        new ProviderError("auth", `${message} ${source.keyHint}`, { providerID: plan.id })
      if (key === undefined && plan.needsKey) throw refusal(`The provider "${plan.id}" has no API key.`)
      const character = key && unsendableKey(key.text)
      if (character === undefined) return
      throw refusal(`The API key of provider "${plan.id}" holds a character that cannot be sent, ${character}.`)
    },
  }
}

function viaProxy(proxy: string): Environment {
  return { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }
}

function errorSource(plan: ConnectionPlan, options: ConnectionOptions, key: GivenKey | undefined) {
  const { headers, query } = options
  const others = [headers, query].flatMap((entries) => Object.entries(entries ?? {}))
  const secrets = others.filter(([name]) => /key|token|secret|auth/i.test(name)).map(([, value]) => value)
  return {
    providerID: plan.id,
    server: plan.baseURL,
    keyHint: options.keyHint ?? keyHint(plan, key),
    secrets: [...(key ? [key.text] : []), ...secrets],
  }
}

function keyHint({ id, keyVariables: [variable] = [] }: ConnectionPlan, key: GivenKey | undefined): string {
  if (key?.variable !== undefined) return `Check the variable ${key.variable}.`
  if (key === undefined && variable !== undefined) {
    return `Set the variable ${variable}, or "apiKey" in the options of provider "${id}".`
  }
  return `${key ? "Check" : "Set"} "apiKey" in the options of provider "${id}".`
}
