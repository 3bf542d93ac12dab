import type { StoredTokens } from "./stored-authorization.ts"

export interface Clock {
  /** Epoch milliseconds. May jump. */
  readonly now: () => number
  /** Milliseconds that never jump, but may stop while the machine sleeps. */
  readonly elapsed: () => number
}

export const systemClock: Clock = { now: Date.now, elapsed: () => performance.now() }

/** Share of its lifetime after which a token is renewed. */
const SHARE = 0.8
/** Milliseconds by which the clocks of machines that share tokens may differ. */
const SKEW = 60_000

/** Returns when to renew a token, in epoch milliseconds; undefined if it does not expire. */
export function dueAt({ obtained, expires }: StoredTokens): number | undefined {
  return expires === undefined ? undefined : obtained + (expires - obtained) * SHARE
}

/** Measures the age of tokens by both clocks. A token is due if one of them says so. */
export interface TokenLife {
  isDue(tokens: StoredTokens): boolean
  /** Milliseconds from now; undefined if the token does not expire. */
  dueIn(tokens: StoredTokens): number | undefined
}

/** For the tokens of one server. */
export function createTokenLife({ now, elapsed }: Clock): TokenLife {
  let seen: { readonly access: string; readonly due: number } | undefined

  function dueIn(tokens: StoredTokens): number | undefined {
    const due = dueAt(tokens)
    if (due === undefined) return undefined
    // The token seems to come from the future, so the clock was set back and the token's age is unknown.
    if (tokens.obtained > now() + SKEW) return 0
    if (seen?.access !== tokens.access) seen = { access: tokens.access, due: elapsed() + due - now() }
    return Math.max(0, Math.min(due - now(), seen.due - elapsed()))
  }

  return { dueIn, isDue: (tokens) => dueIn(tokens) === 0 }
}
