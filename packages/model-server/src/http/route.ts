import { httpError, type ErrorReply } from "../script/http-error.ts"
import type { WireFormat } from "../wire/wire-format.ts"
import { matchPath, toPath } from "../wire/path.ts"

/** The target of a method and path. `format` is undefined for paths outside of all formats. */
export type Route =
  | { type: "answer"; format: WireFormat }
  | { type: "models"; format: undefined }
  | { type: "error"; format: WireFormat | undefined; error: ErrorReply }

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly route: Exclude<Route, { type: "error" }>
}

/** The base path of the OpenAI and Anthropic endpoints. */
export const basePath = "/v1"

/** Finds the target of a request. Ignores the query. */
export function toRoute(formats: readonly WireFormat[], method: string, target: string): Route {
  const endpoints: Endpoint[] = [
    ...formats.flatMap((format) =>
      format.paths.map((path) => ({ method: "POST", path, route: { type: "answer", format } as const })),
    ),
    { method: "GET", path: `${basePath}/models`, route: { type: "models", format: undefined } },
  ]
  const path = toPath(target)
  const endpoint = endpoints.find((each) => matchPath(each.path, path) !== undefined)
  if (endpoint?.method === method) return endpoint.route
  if (endpoint !== undefined)
    return { type: "error", format: endpoint.route.format, error: wrongMethod(endpoint, path) }
  const known = endpoints.map((each) => `${each.method} ${each.path}`).join(", ")
  const message = `Unknown endpoint ${method} ${path}. This server has: ${known}.`
  return { type: "error", format: undefined, error: httpError(404, { kind: "unknown-path", message }) }
}

function wrongMethod({ method }: Endpoint, path: string): ErrorReply {
  return httpError(405, { message: `${path} takes ${method} only.`, headers: { allow: method } })
}
