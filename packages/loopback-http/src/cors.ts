import type { RequestHead } from "./request-guard.ts"

export interface CORSAnswer {
  /** Headers for the response to this origin. */
  readonly headers: Readonly<Record<string, string>>
  /** Set for a preflight request, which is answered with the headers alone and carries no token. */
  readonly isPreflight: boolean
}

const METHODS = "GET, POST, PUT, PATCH, DELETE"
const MAX_AGE_S = "600"

/** Returns the answer to a web page of a named origin; undefined for other origins and other programs. */
export function corsAnswer({ method, origin }: RequestHead, origins: readonly string[]): CORSAnswer | undefined {
  if (origin === undefined || !origins.includes(origin)) return undefined
  const headers = { "access-control-allow-origin": origin, vary: "Origin" }
  if (method !== "OPTIONS") return { headers, isPreflight: false }
  return {
    headers: {
      ...headers,
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers":
        "authorization, content-type, last-event-id, x-opencode-directory, x-opencode-ticket",
      "access-control-max-age": MAX_AGE_S,
    },
    isPreflight: true,
  }
}
