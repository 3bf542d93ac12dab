import { registerClient } from "@modelcontextprotocol/sdk/client/auth.js"
import type { AuthorizationServerMetadata } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { OAuthSettings } from "../config/server-config.ts"
import { AuthError } from "./auth-error.ts"
import type { Discovered } from "./discover.ts"
import { toOAuthFailure } from "./oauth-failure.ts"
import type { ClientInformation, StoredAuthorization } from "./stored-authorization.ts"

export interface WantedClient {
  readonly oauth: OAuthSettings
  readonly redirect: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Returns true if an earlier client fits the authorization server, the configuration and the redirect address. */
export function isUsable(
  stored: StoredAuthorization,
  { issuer, metadata }: Discovered,
  { oauth, redirect, now }: WantedClient,
): boolean {
  const { client_id, client_secret_expires_at: end = 0, redirect_uris } = stored.client
  if (!stored.isRegistered || stored.issuer !== issuer) return false
  const document = documentID(oauth, metadata)
  if (document === undefined ? client_id.startsWith("https://") : client_id !== document) return false
  // 0 means that the secret does not expire.
  if (end !== 0 && end * 1000 <= now) return false
  return redirect_uris?.includes(redirect) === true
}

export interface RegisterDeps {
  readonly server: string
  readonly redirect: string
  readonly scope: string | undefined
  readonly fetch: FetchLike
}

/**
 * Returns the client id that is the address of a document about the client. Undefined unless one is configured and the
 * authorization server supports such documents.
 */
export function documentID(
  { clientMetadataUrl }: OAuthSettings,
  metadata: AuthorizationServerMetadata | undefined,
): string | undefined {
  return metadata?.client_id_metadata_document_supported === true ? clientMetadataUrl : undefined
}

/** Returns true if the authorization server may allow clients to register themselves. */
export function canRegister(metadata: AuthorizationServerMetadata | undefined): boolean {
  return metadata === undefined || metadata.registration_endpoint !== undefined
}

/** Rejects with AuthError. */
export async function register(
  { issuer, metadata }: Discovered,
  { server, redirect, scope, fetch }: RegisterDeps,
): Promise<ClientInformation> {
  if (!canRegister(metadata)) throw noRegistration(server, metadata)
  const clientMetadata = {
    client_name: "pawl",
    redirect_uris: [redirect],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: authenticationMethod(metadata),
    application_type: "native",
  }
  try {
    const registered = await registerClient(issuer, {
      clientMetadata,
      fetchFn: fetch,
      ...(metadata ? { metadata } : {}),
      ...(scope === undefined ? {} : { scope }),
    })
    // Some servers leave redirect addresses out of their response.
    return { ...registered, redirect_uris: [...new Set([...registered.redirect_uris, redirect])] }
  } catch (error) {
    const { kind, words } = toOAuthFailure(error)
    if (kind === "unreachable" && !words.startsWith("HTTP 4")) {
      const text = `The authorization server of the MCP server "${server}" could not register pawl: ${words}. Try again later.`
      throw new AuthError("unreachable", server, text)
    }
    throw noRegistration(server, metadata, `: ${words}`)
  }
}

/** Prefers a client without a secret, because this program could not hide a secret from its user. */
function authenticationMethod(metadata: AuthorizationServerMetadata | undefined): string {
  const supported = metadata?.token_endpoint_auth_methods_supported ?? ["none"]
  return ["none", "client_secret_basic", "client_secret_post"].find((method) => supported.includes(method)) ?? "none"
}

export function noRegistration(server: string, metadata: AuthorizationServerMetadata | undefined, why = ""): AuthError {
  const keys = `mcp.${server}.oauth`
  const document = metadata?.client_id_metadata_document_supported
    ? `, or set ${keys}.clientMetadataUrl to a document that describes one`
    : ""
  const text = `The authorization server of the MCP server "${server}" registers no clients by itself${why}. Register one with it, and set ${keys}.clientId${document}.`
  return new AuthError("client", server, text)
}
