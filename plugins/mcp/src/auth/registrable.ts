import { discoverOAuthServerInfo, extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { McpServerError } from "../errors.ts"
import { canRegister, noRegistration } from "./client.ts"
import { timedFetch } from "./timed-fetch.ts"

export interface RegistrableDeps {
  readonly name: string
  readonly url: string
  /** With status 401. */
  readonly response: Response
  readonly fetch: FetchLike
  readonly clientMetadataUrl: string | undefined
}

/** Throws McpServerError where people cannot authorize before they have registered a client themselves. */
export async function assertRegistrable({
  name,
  url,
  response,
  fetch,
  clientMetadataUrl,
}: RegistrableDeps): Promise<void> {
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  const found = await discoverOAuthServerInfo(url, {
    fetchFn: timedFetch(fetch),
    ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
  }).catch(() => undefined)
  const metadata = found?.authorizationServerMetadata
  if (!metadata || canRegister(metadata)) return
  if (clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true) return
  throw new McpServerError("needs-client-registration", name, noRegistration(name).message)
}
