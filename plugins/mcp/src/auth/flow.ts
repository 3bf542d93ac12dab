import { randomBytes } from "node:crypto"
import { startAuthorization } from "@modelcontextprotocol/sdk/client/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { OAuthSettings } from "../config/server-config.ts"
import type { CallbackListener } from "./callback-listener.ts"
import type { Confinement } from "./confinement.ts"
import type { Discovered } from "./discover.ts"
import {
  canonicalURL,
  type ClientInformation,
  type StoredAuthorization,
  type StoredTokens,
} from "./stored-authorization.ts"
import type { AuthorizationKey, TokenStore } from "./token-store.ts"

export interface AuthorizeDeps {
  readonly name: string
  readonly url: string
  readonly oauth: OAuthSettings
  readonly key: AuthorizationKey
  readonly store: TokenStore
  readonly fetch: FetchLike
  readonly confinement: Confinement
  readonly now: () => number
  readonly remember: (secret: string, name: string) => void
}

/** An authorization in progress. */
export interface Flow extends AuthorizeDeps {
  readonly found: Discovered
  readonly scope: string | undefined
  readonly listener: CallbackListener
}

/** The address to open, with the values that verify the answer. */
export interface Question {
  readonly address: URL
  readonly state: string
  readonly codeVerifier: string
}

export async function createQuestion({ found, listener, scope }: Flow, client: ClientInformation): Promise<Question> {
  const state = randomBytes(32).toString("base64url")
  const { authorizationUrl, codeVerifier } = await startAuthorization(found.issuer, {
    ...tokenRequestFields(found),
    clientInformation: toSDKClient(client),
    redirectUrl: listener.redirect,
    state,
    ...(scope === undefined ? {} : { scope }),
  })
  return { address: authorizationUrl, state, codeVerifier }
}

/** Without `tokens`, stores only the registration. */
export async function save(flow: Flow, client: ClientInformation, tokens: StoredTokens | undefined): Promise<void> {
  const { store, key, url, oauth, found } = flow
  const isRegistered = oauth.clientId === undefined
  const { issuer, metadata, resource } = found
  const authorization: StoredAuthorization = {
    url: canonicalURL(url),
    issuer,
    ...(metadata ? { metadata } : {}),
    ...(resource === undefined ? {} : { resource }),
    // A configured client's secret is not stored.
    client: isRegistered ? client : { client_id: client.client_id },
    isRegistered,
    ...(tokens ? { tokens } : {}),
  }
  // Waits for a renewal in progress, which would overwrite the tokens.
  await store.alone(key, "renew", () => store.change(key, () => authorization))
}

/** Returns the fields that all token requests have. */
export function tokenRequestFields({
  metadata,
  resource,
}: Pick<StoredAuthorization, "metadata" | "resource"> | Discovered) {
  return {
    ...(metadata ? { metadata } : {}),
    // Declared as a URL, but a URL object would add a slash, which makes another resource for some servers.
    ...(resource === undefined ? {} : { resource: resource as unknown as URL }),
  }
}

/** The SDK's types require mutable lists. */
export function toSDKClient(client: ClientInformation) {
  return client as ClientInformation & { redirect_uris: string[] }
}
