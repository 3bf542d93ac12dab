import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"

/** Maximum duration of a request to an authorization server. */
const REQUEST_TIMEOUT_MS = 30_000

/** Returns a fetch with a time limit for each request. */
export function timedFetch(fetch: FetchLike, signal?: AbortSignal): FetchLike {
  return (url, init) => {
    const signals = [AbortSignal.timeout(REQUEST_TIMEOUT_MS), signal, init?.signal].filter((each) => each != null)
    return fetch(url, { ...init, signal: AbortSignal.any(signals) })
  }
}
