import { AuthError } from "./auth-error.ts"
import { type AskOptions, askPeople } from "./ask-people.ts"
import { callbackAddress } from "./callback-address.ts"
import { listenForCallback } from "./callback-listener.ts"
import { documentID, isUsable, register } from "./client.ts"
import { discover } from "./discover.ts"
import { type AuthorizeDeps, createQuestion, type Flow, save } from "./flow.ts"
import { scopeToAsk } from "./scope.ts"
import type { ClientInformation, StoredAuthorization, StoredTokens } from "./stored-authorization.ts"
import { timedFetch } from "./timed-fetch.ts"

/** Asks people to let pawl use the server, and stores the tokens. Rejects with AuthError, or with the signal's reason. */
export async function authorize(deps: AuthorizeDeps, options: AskOptions): Promise<StoredTokens> {
  const { name, key, store } = deps
  if (!options.openBrowser && !options.show) {
    const text = `The MCP server "${name}" wants to know who asks, and there is nobody to ask. Run in a terminal: pawl mcp auth ${name}`
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
  // What people registered, and what a document names, is one address.
  const isOneAddress = isFixed || documentID(oauth, found.metadata) !== undefined
  const address = callbackAddress(oauth, { isFixed: isOneAddress, earlier: stored?.client.redirect_uris })
  await using listener = await listenForCallback(address)
  if (!listener) throw portTaken(name, address.ports[0], isOneAddress)
  const known = { configured: oauth.scope, server: found.scope, wanted: stored?.wantedScope, metadata: found.metadata }
  const flow: Flow = { ...deps, found, fetch, listener, scope: scopeToAsk(known) }

  const old = await oldClient(flow, stored)
  const tokens = old ? await askPeople(flow, old, options) : "client unknown"
  if (tokens !== "client unknown") return tokens
  if (isFixed) throw notAccepted(name)

  const client = await newClient(flow)
  // Kept for the next time, should nobody answer. Tokens that there are belong to the client before.
  if (!stored?.tokens) await save(flow, client, undefined)
  const first = await askPeople(flow, client, options)
  if (first !== "client unknown") return first
  const text = `The authorization server of the MCP server "${name}" does not know the client that it has just registered. Try again later.`
  throw new AuthError("client", name, text)
}

/** One that was configured, or that was registered before and is still known. */
async function oldClient(flow: Flow, stored: StoredAuthorization | undefined): Promise<ClientInformation | undefined> {
  const { oauth, found, listener, now } = flow
  if (oauth.clientId !== undefined) return { client_id: oauth.clientId, client_secret: oauth.clientSecret }
  if (!stored || !isUsable(stored, found, { oauth, redirect: listener.redirect, now: now() })) return undefined
  return (await isKnown(flow, stored.client)) ? stored.client : undefined
}

/** That a client is not known is said in the browser alone, where nobody here would hear it: so it is asked once without. */
async function isKnown(flow: Flow, client: ClientInformation): Promise<boolean> {
  const { address } = await createQuestion(flow, client)
  try {
    const response = await flow.fetch(address, { redirect: "manual" })
    await response.body?.cancel()
    return response.status < 400 || response.status >= 500
  } catch {
    // People see soon enough.
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

/** A secret that people were given by one is not shown to another one because the MCP server says so. */
function otherIssuer(name: string, before: string, now: string): AuthError {
  const text = `The MCP server "${name}" names another authorization server than before: ${new URL(now).host} in place of ${new URL(before).host}. If the client of mcp.${name}.oauth is from that one, run: pawl mcp logout ${name}, then: pawl mcp auth ${name}`
  return new AuthError("unsafe", name, text)
}

function notAccepted(name: string): AuthError {
  const text = `The authorization server of the MCP server "${name}" does not accept the client of mcp.${name}.oauth. Check clientId and clientSecret.`
  return new AuthError("client", name, text)
}
