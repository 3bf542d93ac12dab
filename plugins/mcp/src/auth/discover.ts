import { discoverOAuthServerInfo, selectResourceURL } from "@modelcontextprotocol/sdk/client/auth.js"
import type { AuthorizationServerMetadata } from "@modelcontextprotocol/sdk/shared/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { AuthError } from "./auth-error.ts"
import { type Challenge, readChallenge } from "./challenge.ts"
import { assertReachable, type Confinement } from "./confinement.ts"
import { toOAuthFailure } from "./oauth-failure.ts"
import { metadataField } from "./stored-authorization.ts"

/** The authorization server of an MCP server, and what its tokens are for. */
export interface Discovered {
  readonly issuer: string
  /** If missing, the default endpoints are used. */
  readonly metadata: AuthorizationServerMetadata | undefined
  readonly resource: string | undefined
  /** The scope that the server requires, if it names one. */
  readonly scope: string | undefined
}

/** Queries the MCP server, then its authorization server. Rejects with AuthError. */
export async function discover(by: Confinement, fetch: FetchLike): Promise<Discovered> {
  const { name: server, url } = by
  let challenge: Challenge
  try {
    challenge = await readChallenge(url, fetch)
  } catch (error) {
    const { words } = toOAuthFailure(error)
    throw new AuthError(
      "unreachable",
      server,
      `The MCP server "${server}" cannot be reached: ${words}. See: pawl mcp debug ${server}`,
    )
  }
  const { resourceMetadataUrl } = challenge
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = await discoverOAuthServerInfo(url, {
    fetchFn: fetch,
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
  }).catch((error: unknown) => {
    if (error instanceof AuthError) throw error
    const { words } = toOAuthFailure(error)
    throw new AuthError(
      "unreachable",
      server,
      `The authorization server of the MCP server "${server}" cannot be asked: ${words}. Try again later.`,
    )
  })
  await assertSafe(by, authorizationServerUrl, authorizationServerMetadata)
  if (resourceMetadata) await assertOwnResource(server, url, resourceMetadata)
  return {
    issuer: authorizationServerUrl,
    metadata: authorizationServerMetadata,
    // Not normalized, because for some servers a trailing slash makes another resource.
    resource: resourceMetadata?.resource,
    scope: challenge.scope ?? resourceMetadata?.scopes_supported?.join(" "),
  }
}

/** Rejects endpoints with plain HTTP if the MCP server itself uses HTTPS. */
async function assertSafe(
  by: Confinement,
  issuer: string,
  metadata: AuthorizationServerMetadata | undefined,
): Promise<void> {
  const { name: server, url } = by
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata ?? {}
  const revocation = metadataField(metadata, "revocation_endpoint")
  for (const endpoint of [issuer, authorization_endpoint, token_endpoint, registration_endpoint, revocation]) {
    if (typeof endpoint !== "string") continue
    const { protocol, hostname } = new URL(endpoint)
    const isOpen = new URL(url).protocol === "http:" || isLoopback(hostname)
    if (protocol === "https:" || (protocol === "http:" && isOpen)) {
      // Checked also for addresses that only a browser opens.
      await assertReachable(endpoint, by)
      continue
    }
    const text = `The MCP server "${server}" sends to ${protocol}//${hostname} for its authorization, which is not safe: only https is. Ask who runs it.`
    throw new AuthError("unsafe", server, text)
  }
}

export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)
}

async function assertOwnResource(server: string, url: string, metadata: { readonly resource: string }): Promise<void> {
  try {
    await selectResourceURL(url, {} as Parameters<typeof selectResourceURL>[1], metadata)
  } catch {
    const text = `The MCP server "${server}" asks for tokens of ${new URL(metadata.resource).host}, which is not its own address. Check mcp.${server}.url.`
    throw new AuthError("unsafe", server, text)
  }
}
