import { AuthError } from "./auth-error.ts"
import { type AskOptions, askUser } from "./ask-user.ts"
import { callbackAddress } from "./callback-address.ts"
import { listenForCallback } from "./callback-listener.ts"
import { documentID, isUsable, register } from "./client.ts"
import { discover } from "./discover.ts"
import { type AuthorizeDeps, createQuestion, type Flow, save } from "./flow.ts"
import { scopeToAsk } from "./scope.ts"
import type { ClientInformation, StoredAuthorization, StoredTokens } from "./stored-authorization.ts"
import { timedFetch } from "./timed-fetch.ts"

/**
 * Asks the user to authorize pawl for the server, and stores the tokens. Rejects with AuthError or the signal's reason.
 */
export async function authorize(deps: AuthorizeDeps, options: AskOptions): Promise<StoredTokens> {
  const { name, key, store } = deps
  if (!options.openBrowser && !options.show) {
    const text = `The MCP server "${name}" requires authorization by a user. Run in a terminal: pawl mcp auth ${name}`
    throw new AuthError("no-browser", name, text)
  }
  options.signal?.throwIfAborted()
  const tokens = await store.alone(key, "authorize", () => run(deps, options), { wait: false })
  if (tokens) return tokens
  const text = `The MCP server "${name}" is being authorized already. Finish that in the browser, or end it first.`
  throw new AuthError("busy", name, text)
}

async function run(deps: AuthorizeDeps, options: AskOptions): Promise<StoredTokens> {
  const { name, oauth, key, store } = deps
  const fetch = timedFetch(deps.fetch, options.signal)
  const found = await discover(deps.confinement, fetch)
  const stored = await store.read(key)
  const isFixed = oauth.clientId !== undefined
  if (isFixed && stored && stored.issuer !== found.issuer) throw otherIssuer(name, stored.issuer, found.issuer)
  // A client that the user registered or that a document describes has exactly one redirect address.
  const isOneAddress = isFixed || documentID(oauth, found.metadata) !== undefined
  const address = callbackAddress(oauth, { isFixed: isOneAddress, earlier: stored?.client.redirect_uris })
  await using listener = await listenForCallback(address)
  if (!listener) throw portTaken(name, address.ports[0], isOneAddress)
  const known = { configured: oauth.scope, server: found.scope, wanted: stored?.wantedScope, metadata: found.metadata }
  const flow: Flow = { ...deps, found, fetch, listener, scope: scopeToAsk(known) }

  const old = await oldClient(flow, stored)
  const tokens = old ? await askUser(flow, old, options) : "client unknown"
  if (tokens !== "client unknown") return tokens
  if (isFixed) throw notAccepted(name)

  const client = await newClient(flow)
  // Stored for the next attempt, in case the user does not answer. Existing tokens belong to the earlier client.
  if (!stored?.tokens) await save(flow, client, undefined)
  const first = await askUser(flow, client, options)
  if (first !== "client unknown") return first
  const text = `The authorization server of the MCP server "${name}" does not know the client that it has just registered. Try again later.`
  throw new AuthError("client", name, text)
}

/** Returns the configured client, or an earlier registered client that is still valid. */
async function oldClient(flow: Flow, stored: StoredAuthorization | undefined): Promise<ClientInformation | undefined> {
  const { oauth, found, listener, now } = flow
  if (oauth.clientId !== undefined) return { client_id: oauth.clientId, client_secret: oauth.clientSecret }
  if (!stored || !isUsable(stored, found, { oauth, redirect: listener.redirect, now: now() })) return undefined
  return (await isKnown(flow, stored.client)) ? stored.client : undefined
}

/** Asks the authorization server without a user first, because an unknown client is reported in the browser only. */
async function isKnown(flow: Flow, client: ClientInformation): Promise<boolean> {
  const { address } = await createQuestion(flow, client)
  try {
    const response = await flow.fetch(address, { redirect: "manual" })
    await response.body?.cancel()
    return response.status < 400 || response.status >= 500
  } catch {
    // The browser will show the error.
    return true
  }
}

async function newClient({ name, oauth, found, fetch, scope, listener }: Flow): Promise<ClientInformation> {
  const { redirect } = listener
  const document = documentID(oauth, found.metadata)
  if (document !== undefined) return { client_id: document, redirect_uris: [redirect] }
  return register(found, { server: name, redirect, scope, fetch })
}

function portTaken(name: string, port: number | undefined, isFixed: boolean): AuthError {
  const more = isFixed ? " to one that the client is registered with" : ""
  const text = `Port ${port} of this machine is taken, where the answer for the MCP server "${name}" is to come in. End what uses it, or set mcp.${name}.oauth.callbackPort${more}.`
  return new AuthError("port", name, text)
}

/** A client secret of one authorization server must not be sent to another one that the MCP server names. */
function otherIssuer(name: string, before: string, now: string): AuthError {
  const text = `The MCP server "${name}" names another authorization server than before: ${new URL(now).host} in place of ${new URL(before).host}. If the client of mcp.${name}.oauth is from that one, run: pawl mcp logout ${name}, then: pawl mcp auth ${name}`
  return new AuthError("unsafe", name, text)
}

function notAccepted(name: string): AuthError {
  const text = `The authorization server of the MCP server "${name}" does not accept the client of mcp.${name}.oauth. Check clientId and clientSecret.`
  return new AuthError("client", name, text)
}
