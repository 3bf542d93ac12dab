import { extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import { LATEST_PROTOCOL_VERSION } from "@modelcontextprotocol/sdk/types.js"

/** A server's response to a request without a token. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined
  readonly scope?: string | undefined
}

const FIRST_REQUEST = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "pawl", version: "0.1.0" },
  },
})

/** Returns an empty challenge if the server sends none. */
export async function readChallenge(url: string, fetch: FetchLike): Promise<Challenge> {
  const accept = "application/json, text/event-stream"
  const headers = { "content-type": "application/json", accept }
  const attempts = [
    { method: "POST", headers, body: FIRST_REQUEST },
    // The older HTTP transport starts with a GET.
    { method: "GET", headers: { accept } },
  ]
  for (const attempt of attempts) {
    const response = await fetch(url, { ...attempt, redirect: "manual" })
    await response.body?.cancel()
    if (response.status === 401) return extractWWWAuthenticateParams(response)
    if (response.ok) return leave(response, url, fetch)
  }
  return {}
}

/** The server accepted the request without a token and may have started a session, which must be ended. */
async function leave(response: Response, url: string, fetch: FetchLike): Promise<Challenge> {
  const session = response.headers.get("mcp-session-id")
  if (session === null) return {}
  const goodbye = await fetch(url, { method: "DELETE", headers: { "mcp-session-id": session }, redirect: "manual" })
  await goodbye.body?.cancel()
  return {}
}
