import { refreshAuthorization } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { tokenRequestFields, toSDKClient } from "./flow.ts"
import { type OAuthFailure, toOAuthFailure } from "./oauth-failure.ts"
import type { StoredAuthorization, StoredTokens } from "./stored-authorization.ts"
import { timedFetch } from "./timed-fetch.ts"

export type Renewed =
  | { readonly type: "renewed"; readonly tokens: StoredTokens }
  | { readonly type: "failed"; readonly failure: OAuthFailure }

export interface RenewDeps {
  readonly fetch: FetchLike
  readonly now: () => number
  /** Secret of a configured client, which is not stored. */
  readonly clientSecret: string | undefined
}

/** Requests new tokens once. Afterwards the refresh token may be invalid, even if no response arrived. */
export async function renewTokens(
  stored: StoredAuthorization,
  refreshToken: string,
  { fetch, now, clientSecret }: RenewDeps,
): Promise<Renewed> {
  const { issuer, client, isRegistered } = stored
  const secret = isRegistered ? client.client_secret : clientSecret
  try {
    const tokens = await refreshAuthorization(issuer, {
      ...tokenRequestFields(stored),
      clientInformation: toSDKClient({ ...client, client_secret: secret }),
      refreshToken,
      fetchFn: timedFetch(fetch),
    })
    return { type: "renewed", tokens: toStoredTokens(tokens, now()) }
  } catch (error) {
    return { type: "failed", failure: toOAuthFailure(error) }
  }
}

/** `now` is in epoch milliseconds. */
export function toStoredTokens(tokens: OAuthTokens, now: number): StoredTokens {
  const { access_token, refresh_token, scope, expires_in } = tokens
  // Some servers send 0 for tokens that do not expire.
  const lifetime = expires_in !== undefined && expires_in > 0 && expires_in < Infinity ? expires_in * 1000 : undefined
  return {
    access: access_token,
    ...(refresh_token === undefined ? {} : { refresh: refresh_token }),
    ...(scope === undefined ? {} : { scope }),
    obtained: now,
    ...(lifetime === undefined ? {} : { expires: now + lifetime }),
  }
}
