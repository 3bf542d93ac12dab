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

/** One authorization that is under way. */
export interface Flow extends AuthorizeDeps {
  readonly found: Discovered
  readonly scope: string | undefined
  readonly listener: CallbackListener
}

/** Where people are sent, and what proves afterwards that the answer is for us. */
export interface Question {
  readonly address: URL
  readonly state: string
  readonly codeVerifier: string
}

export async function createQuestion({ found, listener, scope }: Flow, client: ClientInformation): Promise<Question> {
  const state = randomBytes(32).toString("base64url")
  const { authorizationUrl, codeVerifier } = await startAuthorization(found.issuer, {
    ...asked(found),
    clientInformation: toSDKClient(client),
    redirectUrl: listener.redirect,
    state,
    ...(scope === undefined ? {} : { scope }),
  })
  return { address: authorizationUrl, state, codeVerifier }
}

/** Without tokens it keeps a registration for the next time. */
export async function save(flow: Flow, client: ClientInformation, tokens: StoredTokens | undefined): Promise<void> {
  const { store, key, url, oauth, found } = flow
  const isRegistered = oauth.clientId === undefined
  const { issuer, metadata, resource } = found
  const authorization: StoredAuthorization = {
    url: canonicalURL(url),
    issuer,
    ...(metadata ? { metadata } : {}),
    ...(resource === undefined ? {} : { resource }),
    // The secret of a configured one stays where it is configured.
    client: isRegistered ? client : { client_id: client.client_id },
    isRegistered,
    ...(tokens ? { tokens } : {}),
  }
  // A renewal that is under way is not to write over it.
  await store.alone(key, "renew", () => store.change(key, () => authorization))
}

/** What requests for tokens have in common. */
export function asked({ metadata, resource }: Pick<StoredAuthorization, "metadata" | "resource"> | Discovered) {
  return {
    ...(metadata ? { metadata } : {}),
    // Its type is a URL, but as one it would gain a slash, and be another resource for some.
    ...(resource === undefined ? {} : { resource: resource as unknown as URL }),
  }
}

/** The types of the protocol's client want lists that can be changed. */
export function toSDKClient(client: ClientInformation) {
  return client as ClientInformation & { redirect_uris: string[] }
}
