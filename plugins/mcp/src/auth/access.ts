import { AuthError } from "./auth-error.ts"
import type { OAuthFailure } from "./oauth-failure.ts"
import type { Renewed } from "./renew.ts"
import type { StoredAuthorization, StoredTokens } from "./stored-authorization.ts"
import { type Clock, createTokenLife } from "./token-life.ts"
import type { AuthorizationKey, TokenStore } from "./token-store.ts"
import { waitFor } from "../wait-for.ts"

export interface AccessDeps {
  /** Of the server, for messages. */
  readonly name: string
  readonly key: AuthorizationKey
  readonly store: TokenStore
  readonly clock: Clock
  /** Asks the authorization server. */
  readonly renew: (stored: StoredAuthorization, refreshToken: string) => Promise<Renewed>
}

/** The access token for one server, renewed before it ends, and once at a time over all processes. */
export interface Access {
  /**
   * The one to send now; undefined: people have to authorize. An old one where it could not be renewed: the server decides.
   * Signals end the waiting alone: a renewal that has begun is carried to its end.
   */
  token(signal?: AbortSignal | null): Promise<string | undefined>
  /**
   * One instead of that which the server refused; undefined: people have to authorize. Rejects with AuthError when the
   * authorization server cannot be reached.
   */
  replace(refused: string, signal?: AbortSignal | null): Promise<string | undefined>
  /** The server has taken this one. */
  proven(token: string): void
  /** Ends the renewals; one that has begun is waited for, so that its tokens are not lost. */
  close(): Promise<void>
}

/** What came of an attempt; neither: people have to authorize. */
interface Renewal {
  readonly tokens?: StoredTokens | undefined
  readonly failure?: OAuthFailure
}

/** Milliseconds before what failed is tried again by itself. */
const RETRY = 30_000
/** Milliseconds of lifetime; what ends sooner is renewed for requests alone. */
const SHORTEST = 10_000
const LONGEST_TIMER = 2 ** 31 - 1

export function createAccess({ name, key, store, clock, renew }: AccessDeps): Access {
  const life = createTokenLife(clock)
  let renewing: Promise<Renewal | undefined> | undefined
  let retryAt = -Infinity
  let timer: NodeJS.Timeout | undefined
  let planned: string | undefined
  /** Given in place of a refused one, and not known to be any better. */
  let unproven: string | undefined
  /** Tokens that could not be written, and which they stand for: nobody else has them. */
  let unsaved: { readonly old: StoredTokens; readonly fresh: StoredTokens } | undefined
  let isClosed = false

  async function current(): Promise<StoredTokens | undefined> {
    const tokens = latest((await store.read(key))?.tokens)
    // It may work by now. Where it does not, they are good as long as this process lives.
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
    if (refresh === undefined || expires - obtained < SHORTEST) return
    const dueIn = life.dueIn(tokens)
    // At 0 it is renewed by whoever has just read it.
    if (dueIn !== undefined && dueIn > 0) wake(dueIn)
  }

  function wake(delay: number): void {
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        planned = undefined
        // Whoever sends the next request is told what is wrong.
        token().catch(() => undefined)
      },
      Math.min(delay, LONGEST_TIMER),
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
    // Somebody else was faster, or has removed them.
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
      retryAt = clock.elapsed() + RETRY
      if (!isClosed) wake(RETRY)
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
      // The one before was refused as well: the server wants something else.
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
  // A client that is not known is registered again with the next authorization.
  if (failure.kind === "client") return undefined
  const { tokens: _, ...rest } = stored
  return rest
}
