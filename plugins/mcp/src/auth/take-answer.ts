import { exchangeAuthorization } from "@modelcontextprotocol/sdk/client/auth.js"
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js"
import { AuthError } from "./auth-error.ts"
import type { Discovered } from "./discover.ts"
import { tokenRequestFields, type Flow, save, toSDKClient } from "./flow.ts"
import { toOAuthFailure } from "./oauth-failure.ts"
import { toStoredTokens } from "./renew.ts"
import { type ClientInformation, metadataField, type StoredTokens } from "./stored-authorization.ts"

/** Exchanges the browser's answer for tokens and stores them. Rejects with AuthError. */
export async function takeAnswer(
  flow: Flow,
  client: ClientInformation,
  codeVerifier: string,
  parameters: URLSearchParams,
): Promise<StoredTokens> {
  const { name, found, fetch, listener, now, remember } = flow
  assertIssuer(name, found, parameters.get("iss"))
  const code = parameters.get("code")
  if (code === null) throw refusal(name, parameters.get("error") ?? "no code")
  remember(code, "mcp.code")
  let given: OAuthTokens
  try {
    given = await exchangeAuthorization(found.issuer, {
      ...tokenRequestFields(found),
      clientInformation: toSDKClient(client),
      authorizationCode: code,
      codeVerifier,
      redirectUri: listener.redirect,
      fetchFn: fetch,
    })
  } catch (error) {
    const { kind, words } = toOAuthFailure(error)
    const text = `The authorization server of the MCP server "${name}" gave no token: ${words}. Run again: pawl mcp auth ${name}`
    throw new AuthError(kind, name, text)
  }
  const tokens = { ...(flow.scope === undefined ? {} : { scope: flow.scope }), ...toStoredTokens(given, now()) }
  await save(flow, client, tokens)
  return tokens
}

/** The code of another authorization server must not be sent to this one. */
function assertIssuer(name: string, { metadata }: Discovered, issuer: string | null): void {
  if (!metadata) return
  const isNamed = metadataField(metadata, "authorization_response_iss_parameter_supported") === true
  if (issuer === null ? !isNamed : issuer === metadata.issuer) return
  const text = `The answer for the MCP server "${name}" did not come from its authorization server. It was not used.`
  throw new AuthError("unsafe", name, text)
}

function refusal(name: string, error: string): AuthError {
  if (error === "access_denied") {
    const text = `pawl was not allowed to use the MCP server "${name}". To ask again: pawl mcp auth ${name}`
    return new AuthError("denied", name, text)
  }
  const words = error.replaceAll(/[^\x20-\x7E]/g, "?").slice(0, 100)
  const text = `The authorization server of the MCP server "${name}" answered: ${words}. Run again: pawl mcp auth ${name}`
  return new AuthError("refused", name, text)
}
