import type { Connection } from "@pawl/provider-http"

/** The headers of each request, with the key where there is one. */
export function authorized({ apiKey, headers }: Connection): Record<string, string> {
  return { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers }
}
