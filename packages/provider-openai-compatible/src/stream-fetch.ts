import { ProviderError } from "@pawl/core"
import { classifyResponse, type ErrorSource, serverName } from "@pawl/provider-ai-sdk"

type Fetch = typeof globalThis.fetch

/**
 * A fetch for requests that are to be answered by a stream of events. An answer with a good status that is a document
 * instead, such as an error that a gateway sends with status 200, is thrown as a ProviderError: the SDK would find no
 * events in it and lose what it says. `timeout`: milliseconds for the whole of a request and its answer; 0 for no limit.
 */
export function streamFetch(fetch: Fetch, source: ErrorSource, timeout = 0): Fetch {
  return async (input, init) => {
    const response = await fetch(input, timeout > 0 ? limited(init, timeout) : init)
    const type = response.headers.get("content-type") ?? ""
    if (!response.ok || !/\b(?:application\/json|text\/html)\b/i.test(type)) return response

    const body = await response.text()
    // Events under a wrong label.
    if (/^\s*(?:data|event|:)/.test(body)) return new Response(body, response)
    throw documentError(response, body, source)
  }
}

function limited(init: RequestInit | undefined, timeout: number): RequestInit {
  const signals = [AbortSignal.timeout(timeout), ...(init?.signal ? [init.signal] : [])]
  return { ...init, signal: AbortSignal.any(signals) }
}

function documentError({ status, url, headers }: Response, body: string, source: ErrorSource): ProviderError {
  const error = classifyResponse({ url, status, headers: Object.fromEntries(headers), body }, source)
  if (error.kind !== "unknown") return error
  const server = serverName(source, url)
  const message = `${server} answered with a document instead of a stream of events. Is this the base URL of an OpenAI-compatible API? Most of them end in /v1.`
  return new ProviderError("invalid-request", message, error.details)
}
