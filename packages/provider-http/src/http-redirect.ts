import { ProviderError } from "@pawl/core/provider"

export interface Outgoing {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Any other header may be a key. */
const PUBLIC = new Set(["accept", "user-agent"])
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Returns the request that a redirect asks for; undefined if the answer is not a redirect. Another server gets neither
 * keys nor prompt: throws a ProviderError that names both servers if the request has a body. Throws TypeError for a
 * location that is not an HTTP URL.
 */
export function redirected(request: Outgoing, status: number, location: string | undefined): Outgoing | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined
  const url = new URL(location, request.url)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`a redirect to ${url.protocol}, which is not http`)
  const isSameServer = url.origin === request.url.origin
  if (!isSameServer && request.method !== "GET" && request.method !== "HEAD") throw refusal(request.url, url)

  const kept = Object.entries(request.headers).filter(([name]) => isSameServer || PUBLIC.has(name.toLowerCase()))
  const next = { ...request, url, headers: Object.fromEntries(kept) }
  return status === 307 || status === 308 ? next : { ...next, method: "GET", body: undefined }
}

function refusal(from: URL, to: URL): ProviderError {
  const message = `The server at ${from.origin} redirects to another one, ${to.origin}${to.pathname}, which was sent neither the prompt nor the key. If it is the right one, set its address as the base URL of this provider.`
  return new ProviderError("invalid-request", message)
}
