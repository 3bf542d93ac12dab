import { ProviderError } from "@pawl/core"
import type { ErrorSource } from "@pawl/provider-ai-sdk"
import { createHTTPClient } from "./http-fetch.ts"
import type { Environment } from "./http-transport.ts"
import { type GivenKey, givenKey, unsendableKey } from "./key.ts"
import { streamFetch } from "./stream-fetch.ts"
import { withQuery } from "./with-query.ts"
import { withWaits } from "./with-waits.ts"

/** How to reach the server of a provider. */
export interface ConnectionOptions {
  /** Blanks around it, such as the end of a line, are left out. Default: the vendor's variable in `environment`. */
  apiKey?: string | undefined
  /** Where the API begins. */
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
  /** Milliseconds for a connection to the server to stand; 0 for no limit. Default: 30 s. Not for a `fetch` of your own. */
  connectTimeout?: number | undefined
  /** Milliseconds for the whole of a request and its answer; 0, the default, for no limit. */
  timeout?: number | undefined
  /** Milliseconds from a request to the head of its answer; 0, the default, for no limit. */
  headerTimeout?: number | undefined
  /** Milliseconds between two pieces of an answer; 0, the default, for no limit. */
  chunkTimeout?: number | undefined
  /** What to do when the key is refused, a whole sentence. Default: where the key was found. */
  keyHint?: string | undefined
  /** Default: one over node:http, which loads faster than the global one. `proxy` and `ca` are not for one of your own. */
  fetch?: typeof globalThis.fetch | undefined
}

/** What a kind of provider decides by itself. */
export interface ConnectionPlan {
  readonly id: string
  readonly baseURL: string
  /** What to look at when the server does not speak this API, a whole sentence. */
  readonly baseURLHint: string
  /** Variables that may hold the key, the usual one first. */
  readonly keyVariables?: readonly string[]
  /** Whether nothing can be asked without a key. */
  readonly needsKey: boolean
}

export interface Connection {
  readonly baseURL: string
  /** Without blanks around it. */
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** For the errors of this server. */
  readonly source: ErrorSource
  /** Adds the query. */
  readonly fetch: typeof globalThis.fetch
  /** The same for requests that a stream of events is to answer. */
  readonly streamFetch: typeof globalThis.fetch
  /** Opens a connection for a request that follows soon. Does not throw; nothing for a `fetch` of one's own. */
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
