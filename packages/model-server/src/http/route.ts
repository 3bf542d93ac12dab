import { httpError, type ErrorReply } from "../script/http-error.ts"
import type { WireFormat } from "../wire/wire-format.ts"

/** What a method and a path ask for. */
export type Route = { type: "answer"; format: WireFormat } | { type: "models" } | { type: "error"; error: ErrorReply }

/** All paths lie below this one. */
export const basePath = "/v1"

/** Finds what a request is for. A query is ignored. */
export function toRoute(formats: readonly WireFormat[], method: string, target: string): Route {
  const endpoints: { method: string; path: string; route: Route }[] = [
    ...formats.map((format) => ({
      method: "POST",
      path: basePath + format.path,
      route: { type: "answer", format } as const,
    })),
    { method: "GET", path: `${basePath}/models`, route: { type: "models" } },
  ]
  const path = target.split("?", 1)[0]
  const endpoint = endpoints.find((each) => each.path === path)
  if (endpoint?.method === method) return endpoint.route
  if (endpoint !== undefined) return { type: "error", error: wrongMethod(endpoint) }
  const known = endpoints.map((each) => `${each.method} ${each.path}`).join(", ")
  const message = `Unknown endpoint ${method} ${path}. This server has: ${known}.`
  return { type: "error", error: httpError(404, { kind: "unknown-path", message }) }
}

function wrongMethod({ method, path }: { method: string; path: string }): ErrorReply {
  return httpError(405, { message: `${path} takes ${method} only.`, headers: { allow: method } })
}
