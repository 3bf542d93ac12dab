import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"

/** Milliseconds that an authorization server may take for an answer. */
const PATIENCE = 30_000

/** The same fetch, each request of which ends in time. */
export function timedFetch(fetch: FetchLike, signal?: AbortSignal): FetchLike {
  return (url, init) => {
    const signals = [AbortSignal.timeout(PATIENCE), signal, init?.signal].filter((given) => given != null)
    return fetch(url, { ...init, signal: AbortSignal.any(signals) })
  }
}
