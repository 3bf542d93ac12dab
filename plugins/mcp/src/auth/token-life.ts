import type { StoredTokens } from "./stored-authorization.ts"

export interface Clock {
  /** Epoch milliseconds. It may jump. */
  readonly now: () => number
  /** Milliseconds that never jump; they may stand still while the machine sleeps. */
  readonly elapsed: () => number
}

export const systemClock: Clock = { now: Date.now, elapsed: () => performance.now() }

/** The part of its lifetime after which a token is renewed. */
const SHARE = 0.8
/** Milliseconds by which clocks of machines that share tokens may differ. */
const SKEW = 60_000

/** When a token is to be renewed, epoch milliseconds; undefined: never by itself. */
export function dueAt({ obtained, expires }: StoredTokens): number | undefined {
  return expires === undefined ? undefined : obtained + (expires - obtained) * SHARE
}

/** The age of tokens by both clocks: whichever says that one is due is believed. */
export interface TokenLife {
  isDue(tokens: StoredTokens): boolean
  /** Milliseconds from now; undefined: never by itself. */
  dueIn(tokens: StoredTokens): number | undefined
}

/** Of the tokens of one server. */
export function createTokenLife({ now, elapsed }: Clock): TokenLife {
  let seen: { readonly access: string; readonly due: number } | undefined

  function dueIn(tokens: StoredTokens): number | undefined {
    const due = dueAt(tokens)
    if (due === undefined) return undefined
    // It comes from the future: the clock was set back, and how old it is cannot be known.
    if (tokens.obtained > now() + SKEW) return 0
    if (seen?.access !== tokens.access) seen = { access: tokens.access, due: elapsed() + due - now() }
    return Math.max(0, Math.min(due - now(), seen.due - elapsed()))
  }

  return { dueIn, isDue: (tokens) => dueIn(tokens) === 0 }
}
