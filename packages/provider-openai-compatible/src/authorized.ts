import type { Connection } from "@pawl/provider-http"

export function authorized({ apiKey, headers }: Connection): Record<string, string> {
  return { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers }
}
