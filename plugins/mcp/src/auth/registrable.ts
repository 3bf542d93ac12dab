import { discoverOAuthServerInfo, extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { OAuthSettings } from "../config/server-config.ts"
import { McpServerError } from "../errors.ts"
import { canRegister, documentID, noRegistration } from "./client.ts"
import { timedFetch } from "./timed-fetch.ts"

export interface RegistrableDeps {
  readonly name: string
  readonly url: string
  /** The response with status 401. */
  readonly response: Response
  readonly fetch: FetchLike
  readonly oauth: OAuthSettings
}

/** Throws McpServerError if users must register a client themselves before they can authorize. */
export async function assertRegistrable({ name, url, oauth, response, fetch }: RegistrableDeps): Promise<void> {
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  const found = await discoverOAuthServerInfo(url, {
    fetchFn: timedFetch(fetch),
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
  }).catch(() => undefined)
  const metadata = found?.authorizationServerMetadata
  if (!metadata || canRegister(metadata) || documentID(oauth, metadata) !== undefined) return
  throw new McpServerError("needs-client-registration", name, noRegistration(name, metadata).message)
}
