import { join } from "node:path"
import { type Resolve, systemResolve } from "@pawl/address-guard"
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { OAuthSettings } from "../config/server-config.ts"
import { McpServerError } from "../errors.ts"
import { type Access, createAccess } from "./access.ts"
import { type Confinement, createConfinement } from "./confinement.ts"
import { AuthError } from "./auth-error.ts"
import type { AskOptions } from "./ask-user.ts"
import { canonicalURL, type StoredTokens } from "./stored-authorization.ts"
import { type Clock, systemClock } from "./token-life.ts"
import { type AuthorizationKey, createFileTokenStore, type TokenStore } from "./token-store.ts"

export interface AuthorizerOptions {
  /** Directory of `mcp-auth.json`, which stores tokens. */
  readonly dataDirectory: string
  readonly store?: TokenStore
  /** Used for authorization servers. Default: a fetch that connects only to checked addresses. */
  readonly fetch?: FetchLike
  readonly clock?: Clock
  /** Resolves host names. Default: the system's resolver. */
  readonly resolve?: Resolve
  /** Called with each token, code and secret before it is used, so that it can be masked. */
  readonly remember?: (secret: string, name: string) => void
}

/** A configured remote server. */
export interface AuthorizableServer {
  readonly name: string
  readonly url: string
  /** `false`: OAuth is not used. */
  readonly oauth: OAuthSettings | false | undefined
}

export interface AuthorizationState {
  readonly isAuthorized: boolean
  /** Epoch milliseconds; missing if unknown. */
  readonly expires?: number
  /** Set if tokens can be renewed without the user. */
  readonly isRenewable: boolean
  readonly scope?: string
  /** URL of the authorization server. */
  readonly issuer?: string
}

export interface LoggedOut {
  readonly wasAuthorized: boolean
  /** Set if the authorization server revoked the tokens. They are removed from the store in any case. */
  readonly isRevoked: boolean
}

/** Authorizes requests to remote MCP servers. All processes share the stored tokens. */
export interface Authorizer {
  /** Returns a fetch that adds the server's token to requests. */
  readonly fetchFor: (server: AuthorizableServer, fetch: FetchLike) => FetchLike
  /** Asks the user, one authorization per server at a time. Rejects with AuthError or the signal's reason. */
  authorize(server: AuthorizableServer, options: AskOptions): Promise<AuthorizationState>
  /** Removes the tokens and the registration, and revokes the tokens if possible. */
  logout(server: AuthorizableServer): Promise<LoggedOut>
  state(server: AuthorizableServer): Promise<AuthorizationState>
  /** Stops renewals. Waits for a renewal that has begun, so that its tokens are not lost. */
  close(): Promise<void>
}

export function createAuthorizer(options: AuthorizerOptions): Authorizer {
  const { resolve = systemResolve, clock = systemClock, remember = () => undefined } = options
  const store = options.store ?? createFileTokenStore(join(options.dataDirectory, "mcp-auth.json"), remember)
  const accesses = new Map<string, Access>()
  const confinements = new Map<string, Confinement>()
  const { now } = clock

  function confinementOf({ name, url }: AuthorizableServer): Confinement {
    const id = JSON.stringify([name, url])
    const confinement = confinements.get(id) ?? createConfinement(name, url, resolve)
    confinements.set(id, confinement)
    return confinement
  }

  function fetchOf(server: AuthorizableServer): FetchLike {
    const made = once(async () => {
      const { boundedFetch, confinedFetch } = await import("./confined-fetch.ts")
      const confinement = confinementOf(server)
      return options.fetch ? boundedFetch(confinement, options.fetch) : confinedFetch(confinement)
    })
    return async (target, init) => (await made())(target, init)
  }

  function accessFor(server: AuthorizableServer, oauth: OAuthSettings): Access {
    const { name, url } = server
    const key = keyOf(url, oauth)
    const id = JSON.stringify([name, canonicalURL(url), key.clientID, oauth.clientSecret])
    const known = accesses.get(id)
    if (known) return known
    const access = createAccess({
      ...{ name, key, store, clock },
      async renew(stored, refreshToken) {
        const { renewTokens } = await import("./renew.ts")
        return renewTokens(stored, refreshToken, { fetch: fetchOf(server), now, clientSecret: oauth.clientSecret })
      },
    })
    accesses.set(id, access)
    return access
  }

  async function wantScope(name: string, key: AuthorizationKey, scope: string | undefined): Promise<never> {
    await store.change(key, (stored) => {
      const wanted = [stored?.tokens?.scope, scope].filter((given) => given !== undefined).join(" ")
      return stored && wanted !== "" ? { ...stored, wantedScope: wanted } : stored
    })
    const text = `The MCP server "${name}" wants to be asked with more rights${scope === undefined ? "" : `: ${scope}`}. Run: pawl mcp auth ${name}`
    throw new McpServerError("needs-auth", name, text)
  }

  return {
    fetchFor(server, inner) {
      const { name, url, oauth = {} } = server
      if (oauth === false) return inner
      const key = keyOf(url, oauth)
      const access = accessFor(server, oauth)
      let isAsked = false
      const made = once(async () => {
        const { authorizedFetch } = await import("./authorized-fetch.ts")
        return authorizedFetch({
          ...{ url, access, fetch: inner },
          onScopeWanted: (scope) => wantScope(name, key, scope),
          async onUnauthorized(response) {
            if (isAsked || oauth.clientId !== undefined || (await store.read(key))) return
            isAsked = true
            const { assertRegistrable } = await import("./registrable.ts")
            await assertRegistrable({ name, url, oauth, response, fetch: fetchOf(server) })
          },
        })
      })
      return async (target, init) => (await made())(target, init)
    },
    async authorize(server, asked) {
      const { name, url, oauth = {} } = server
      if (oauth === false)
        throw new AuthError(
          "refused",
          name,
          `The MCP server "${name}" is not authorized this way: mcp.${name}.oauth is false.`,
        )
      if (oauth.clientSecret !== undefined) remember(oauth.clientSecret, "mcp.client")
      const { authorize } = await import("./authorize.ts")
      const key = keyOf(url, oauth)
      await authorize(
        {
          ...{ name, url, oauth, key, store, now, remember },
          ...{ fetch: fetchOf(server), confinement: confinementOf(server) },
        },
        asked,
      )
      return stateOf(await store.read(key))
    },
    async logout(server) {
      const { url, oauth } = server
      const settings = oauth || {}
      const key = keyOf(url, settings)
      const stored = await store.alone(key, "renew", async () => {
        const stored = await store.read(key)
        if (stored) await store.change(key, () => undefined)
        return stored
      })
      if (!stored?.tokens) return { wasAuthorized: false, isRevoked: false }
      const { revokeTokens } = await import("./revoke.ts")
      return { wasAuthorized: true, isRevoked: await revokeTokens(stored, settings.clientSecret, fetchOf(server)) }
    },
    state: async ({ url, oauth }) => stateOf(await store.read(keyOf(url, oauth || {}))),
    async close() {
      await Promise.all([...accesses.values()].map((access) => access.close()))
    },
  }
}

function keyOf(url: string, { clientId }: OAuthSettings): AuthorizationKey {
  return clientId === undefined ? { url } : { url, clientID: clientId }
}

function stateOf(
  stored: { readonly issuer: string; readonly tokens?: StoredTokens | undefined } | undefined,
): AuthorizationState {
  const { tokens } = stored ?? {}
  if (!tokens) return { isAuthorized: false, isRenewable: false }
  return {
    isAuthorized: true,
    isRenewable: tokens.refresh !== undefined,
    ...(tokens.expires === undefined ? {} : { expires: tokens.expires }),
    ...(tokens.scope === undefined ? {} : { scope: tokens.scope }),
    ...(stored ? { issuer: stored.issuer } : {}),
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
