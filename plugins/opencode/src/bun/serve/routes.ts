import { BunFile } from "../bun-file.ts"

export type Answer = Response | undefined | void
export type Handler<S> = (request: RoutedRequest, server: S) => Answer | Promise<Answer>
type ByMethod<S> = Readonly<Record<string, Handler<S> | Response>>
export type Route<S> = Handler<S> | Response | BunFile | ByMethod<S> | false
export type Routes<S> = Readonly<Record<string, Route<S>>>

export type RoutedRequest = Request & { params?: Readonly<Record<string, string>> }

interface Found<S> {
  readonly route: Exclude<Route<S>, false>
  readonly params: Readonly<Record<string, string>>
}

/** Returns the route of a path. Literal routes come first, then routes with `:names`, then routes with a star. */
export function findRoute<S>(routes: Routes<S>, path: string): Found<S> | undefined {
  for (const [pattern, route] of Object.entries(routes).toSorted(
    ([a], [b]) => rank(a) - rank(b) || b.length - a.length,
  )) {
    const match = route === false ? null : toExpression(pattern).exec(path)
    if (match && route !== false) return { route, params: decoded(match.groups ?? {}) }
  }
  return undefined
}

/** Returns undefined if the route has no handler for the request's method. */
export async function answerRoute<S>({ route, params }: Found<S>, request: RoutedRequest, server: S): Promise<Answer> {
  if (route instanceof BunFile)
    return new Response(await route.arrayBuffer(), { headers: { "content-type": route.type } })
  const chosen = typeof route === "function" || route instanceof Response ? route : route[request.method]
  if (chosen === undefined) return undefined
  if (chosen instanceof Response) return chosen.clone()
  return chosen(Object.assign(request, { params }), server)
}

function rank(pattern: string): number {
  if (pattern.includes("*")) return 2
  return pattern.includes(":") ? 1 : 0
}

function toExpression(pattern: string): RegExp {
  const names = pattern.split("/").map((name) => {
    if (name === "*") return ".*"
    return /^:\w+$/.test(name) ? `(?<${name.slice(1)}>[^/]+)` : name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${names.join("/")}$`, "s")
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}
