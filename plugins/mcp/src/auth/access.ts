import { AuthError } from "./auth-error.ts"
import type { OAuthFailure } from "./oauth-failure.ts"
import type { Renewed } from "./renew.ts"
import type { StoredAuthorization, StoredTokens } from "./stored-authorization.ts"
import { type Clock, createTokenLife } from "./token-life.ts"
import type { AuthorizationKey, TokenStore } from "./token-store.ts"
import { MAX_TIMER_MS } from "../requests/inactivity-timer.ts"
import { waitFor } from "../wait-for.ts"

export interface AccessDeps {
  /** Name of the server, for messages. */
  readonly name: string
  readonly key: AuthorizationKey
  readonly store: TokenStore
  readonly clock: Clock
  /** Requests new tokens from the authorization server. */
  readonly renew: (stored: StoredAuthorization, refreshToken: string) => Promise<Renewed>
}

/** Provides the access token for one server. Renews it before it expires; only one process renews at a time. */
export interface Access {
  /**
   * Returns the token to send; undefined if the user must authorize. If renewal failed, returns the old token, and the
   * server decides. A signal only ends the wait, because a renewal that has begun must not be cancelled.
   */
  token(signal?: AbortSignal | null): Promise<string | undefined>
  /**
   * Returns a token instead of one that the server refused; undefined if the user must authorize. Rejects with
   * AuthError if the authorization server cannot be reached.
   */
  replace(refused: string, signal?: AbortSignal | null): Promise<string | undefined>
  /** Call it when the server has accepted the token. */
  proven(token: string): void
  /** Stops renewals. Waits for a renewal that has begun, so that its tokens are not lost. */
  close(): Promise<void>
}

/** Result of a renewal. If both are missing, the user must authorize. */
interface Renewal {
  readonly tokens?: StoredTokens | undefined
  readonly failure?: OAuthFailure
}

/** Milliseconds before a failed renewal is tried again. */
const RETRY_MS = 30_000
/** Tokens with a shorter lifetime, in milliseconds, are renewed only when a request needs them. */
const MIN_LIFETIME_MS = 10_000

export function createAccess({ name, key, store, clock, renew }: AccessDeps): Access {
  const life = createTokenLife(clock)
  let renewing: Promise<Renewal | undefined> | undefined
  let retryAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let planned: string | undefined
  /** Returned in place of a refused token, but not yet accepted by the server. */
  let unproven: string | undefined
  /** Tokens that could not be stored, with the tokens that they replace. They exist only in this process. */
  let unsaved: { readonly old: StoredTokens; readonly fresh: StoredTokens } | undefined
  let isClosed = false

  async function current(): Promise<StoredTokens | undefined> {
    const tokens = latest((await store.read(key))?.tokens)
    // Try to store them again. Without success they are valid only in this process.
    if (unsaved && tokens === unsaved.fresh) await replaceTokens(unsaved.old, unsaved.fresh).catch(() => undefined)
    if (tokens) plan(tokens)
    return tokens
  }

  function latest(stored: StoredTokens | undefined): StoredTokens | undefined {
    return unsaved && stored?.access === unsaved.old.access ? unsaved.fresh : stored
  }

  async function replaceTokens(old: StoredTokens, fresh: StoredTokens): Promise<void> {
    unsaved = { old, fresh }
    await store.change(key, (now) => (now?.tokens?.access === old.access ? { ...now, tokens: fresh } : now))
    unsaved = undefined
  }

  function plan(tokens: StoredTokens): void {
    if (planned === tokens.access || isClosed) return
    planned = tokens.access
    clearTimeout(timer)
    const { refresh, obtained, expires = obtained } = tokens
    if (refresh === undefined || expires - obtained < MIN_LIFETIME_MS) return
    const dueIn = life.dueIn(tokens)
    // At 0, the caller that has just read the token renews it.
    if (dueIn !== undefined && dueIn > 0) wake(dueIn)
  }

  function wake(delay: number): void {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        planned = undefined
        // The next request reports the error.
        token().catch(() => undefined)
      },
      Math.min(delay, MAX_TIMER_MS),
    )
    timer.unref()
  }

  function renewOnce(old: string): Promise<Renewal | undefined> {
    renewing ??= store
      .alone(key, "renew", () => renewAlone(old))
      .finally(() => {
        renewing = undefined
      })
    return renewing
  }

  async function renewAlone(old: string): Promise<Renewal> {
    const stored = await store.read(key)
    const tokens = latest(stored?.tokens)
    // Another process renewed or removed them.
    if (!stored || !tokens || tokens.access !== old) return { tokens }
    const { refresh } = tokens
    if (refresh === undefined) return {}
    const renewed = await renew(stored, refresh)
    if (renewed.type === "renewed") {
      const fresh = { ...(tokens.scope === undefined ? {} : { scope: tokens.scope }), ...renewed.tokens }
      await replaceTokens(unsaved?.old ?? tokens, fresh)
      return { tokens: fresh }
    }
    const { failure } = renewed
    if (failure.kind === "unreachable") return { failure }
    await store.change(key, (now) => (now?.tokens?.refresh === refresh ? withoutUseless(now, failure) : now))
    return {}
  }

  async function token(signal?: AbortSignal | null): Promise<string | undefined> {
    const tokens = await current()
    if (!tokens || tokens.refresh === undefined || !life.isDue(tokens)) return tokens?.access
    if (isClosed || clock.elapsed() < retryAt) return tokens.access
    const { tokens: renewed, failure } = (await waitFor(renewOnce(tokens.access), signal)) ?? {}
    if (failure) {
      retryAt = clock.elapsed() + RETRY_MS
      if (!isClosed) wake(RETRY_MS)
      return tokens.access
    }
    if (renewed) plan(renewed)
    return renewed?.access
  }

  return {
    token,
    async replace(refused, signal) {
      const tokens = await current()
      if (!tokens || tokens.access !== refused) return tokens?.access
      // The previous token was refused as well, so the server requires something else.
      if (refused === unproven || isClosed) return undefined
      const { tokens: renewed, failure } = (await waitFor(renewOnce(refused), signal)) ?? {}
      if (failure) {
        const text = `The token for the MCP server "${name}" has ended and could not be renewed: ${failure.words}. Try again later, or run: pawl mcp auth ${name}`
        throw new AuthError("unreachable", name, text)
      }
      if (renewed) plan(renewed)
      unproven = renewed?.access
      return renewed?.access
    },
    proven(token) {
      if (token === unproven) unproven = undefined
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await renewing?.catch(() => undefined)
    },
  }
}

function withoutUseless(stored: StoredAuthorization, failure: OAuthFailure): StoredAuthorization | undefined {
  // An unknown client is registered again by the next authorization.
  if (failure.kind === "client") return undefined
  const { tokens: _, ...rest } = stored
  return rest
}
