import { extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { Access } from "./access.ts"

export interface AuthorizedFetchDeps {
  /** URL of the MCP server. The token is sent only to its origin. */
  readonly url: string
  readonly fetch: FetchLike
  readonly access: Access
  /**
   * Called if no token is accepted, so the user must authorize. May throw an error that explains more than the
   * response.
   */
  onUnauthorized(response: Response): Promise<void>
  /** Called if the token's scope is not sufficient. Throws an error with the next step. */
  onScopeWanted(scope: string | undefined): Promise<never>
}

/**
 * Returns a fetch that adds the token. If the server refuses the token, renews it and sends the request once more; a
 * second refusal is returned as status 401. Leaves requests with their own Authorization header unchanged.
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
