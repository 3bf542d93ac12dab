import { extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { Access } from "./access.ts"

export interface AuthorizedFetchDeps {
  /** The MCP server's: nobody else gets its token. */
  readonly url: string
  readonly fetch: FetchLike
  readonly access: Access
  /** No token will do as it is: people have to authorize. May throw what says more than the server's answer. */
  onUnauthorized(response: Response): Promise<void>
  /** The token is good for less than what was asked. Throws what to do about it. */
  onScopeWanted(scope: string | undefined): Promise<never>
}

/**
 * A fetch that says who asks. A request that is refused for its token is sent once more with a renewed one; refused again, the
 * answer with status 401 is given. A request that says by itself who asks is left as it is.
 */
export function authorizedFetch({ url, fetch, access, ...on }: AuthorizedFetchDeps): FetchLike {
  const { origin } = new URL(url)
  return async (target, init) => {
    const headers = new Headers(init?.headers)
    if (new URL(target).origin !== origin || headers.has("authorization")) return fetch(target, init)
    const { signal } = init ?? {}

    const send = async (token: string | undefined): Promise<Response> => {
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`)
      const response = await fetch(target, { ...init, headers })
      if (token !== undefined && response.status !== 401) access.proven(token)
      return response
    }

    const token = await access.token(signal)
    let response = await send(token)
    if (response.status === 401 && token !== undefined) {
      const renewed = await access.replace(token, signal)
      if (renewed !== undefined) {
        await response.body?.cancel()
        response = await send(renewed)
      }
    }
    if (response.status === 401) await on.onUnauthorized(response)
    if (response.status === 403 && token !== undefined) {
      const { error, scope } = extractWWWAuthenticateParams(response)
      if (error === "insufficient_scope") {
        await response.body?.cancel()
        await on.onScopeWanted(scope)
      }
    }
    return response
  }
}
