import { selectClientAuthMethod } from "@modelcontextprotocol/sdk/client/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { metadataField, type StoredAuthorization } from "./stored-authorization.ts"
import { timedFetch } from "./timed-fetch.ts"

/** In milliseconds. The tokens are removed from the store in any case. */
const REVOKE_TIMEOUT_MS = 5000

/**
 * Asks the authorization server to revoke the tokens. Returns false if it does not support that or did not confirm it.
 */
export async function revokeTokens(
  stored: StoredAuthorization,
  configuredSecret: string | undefined,
  fetch: FetchLike,
): Promise<boolean> {
  const { metadata, tokens, isRegistered, client } = stored
  const endpoint = metadataField(metadata, "revocation_endpoint")
  if (typeof endpoint !== "string" || !tokens) return false
  const secret = isRegistered ? client.client_secret : configuredSecret
  const inTime = timedFetch(fetch, AbortSignal.timeout(REVOKE_TIMEOUT_MS))
  const revoke = async (token: string, hint: string): Promise<boolean> => {
    const { headers, body } = asClient(stored, secret)
    body.set("token", token)
    body.set("token_type_hint", hint)
    const response = await inTime(endpoint, { method: "POST", headers, body, redirect: "manual" })
    await response.body?.cancel()
    return response.ok
  }
  try {
    const isDone = tokens.refresh === undefined || (await revoke(tokens.refresh, "refresh_token"))
    return (await revoke(tokens.access, "access_token")) && isDone
  } catch {
    // The server is not reachable, so the tokens will expire.
    return false
  }
}

function asClient({ metadata, client }: StoredAuthorization, secret: string | undefined) {
  const named = metadataField(metadata, "revocation_endpoint_auth_methods_supported")
  const methods = (named as string[] | undefined) ?? metadata?.token_endpoint_auth_methods_supported ?? []
  const method = selectClientAuthMethod({ ...client, client_secret: secret }, methods)
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", accept: "application/json" })
  const body = new URLSearchParams()
  if (method === "client_secret_basic") {
    headers.set("authorization", `Basic ${Buffer.from(`${client.client_id}:${secret ?? ""}`).toString("base64")}`)
  } else {
    body.set("client_id", client.client_id)
    if (method === "client_secret_post" && secret !== undefined) body.set("client_secret", secret)
  }
  return { headers, body }
}
