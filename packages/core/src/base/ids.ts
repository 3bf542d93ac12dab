import { randomFillSync } from "node:crypto"
import { decodeTime, monotonicFactory } from "ulid"

export type SessionID = `ses_${string}`
export type MessageID = `msg_${string}`
export type PartID = `prt_${string}`

/**
 * Makes ids that sort: message and part ids oldest first, session ids newest first. Ids of one source are unique and
 * ascending even if the clock stands still or jumps back. Sessions of several sources sort by their clocks.
 */
export interface IDSource {
  session(): SessionID
  /** `after`: an id that the new one sorts behind, even if this machine's clock is behind. */
  message(after?: MessageID): MessageID
  part(after?: PartID): PartID
  /** Returns an opaque id with the caller's prefix, such as `per` or `own`. */
  other(prefix: string): string
}

function timeOf(id: string): number {
  try {
    return decodeTime(id)
  } catch {
    return 0
  }
}

/** The last millisecond that an id can express. */
const LAST_TIME = 2 ** 48 - 1

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** `now`: epoch milliseconds; fractions are dropped, and an invalid time counts as the first millisecond. */
export function createIDSource(now: () => number): IDSource {
  const next = monotonicFactory(secureFractions())
  const clock = () => {
    const time = Math.floor(now())
    return time >= 1 && time <= LAST_TIME ? time : 1
  }
  const ulid = (after?: string) => {
    if (after === undefined) return next(clock())
    const rest = after.slice(4)
    const id = next(Math.min(Math.max(clock(), timeOf(rest.slice(-26)) + 1), LAST_TIME))
    // Ids of other programs may use another alphabet: an id that continues the beginning of such an id sorts behind it.
    const candidates = [id, `${rest.slice(0, -26)}${id}`, `${rest.slice(0, 12)}zz${id}`]
    return candidates.find((each) => each > rest) ?? `${rest}z${id}`
  }
  return {
    session: () => `ses_${mirrored(ulid())}`,
    message: (after) => `msg_${ulid(after)}`,
    part: (after) => `prt_${ulid(after)}`,
    other: (prefix) => `${prefix}_${ulid()}`,
  }
}

export function isSessionID(text: string): text is SessionID {
  return /^ses_[0-9A-Za-z]{1,64}$/.test(text)
}

export function isMessageID(text: string): text is MessageID {
  return /^msg_[0-9A-Za-z]{1,64}$/.test(text)
}

/** Returns the time in an id of this engine, in epoch milliseconds; 0 for ids of other programs. */
export function messageTime(id: MessageID): number {
  return timeWithin(id.slice("msg_".length))
}

/** Returns the time in an id of this engine, in epoch milliseconds; 0 for ids of other programs. */
export function partTime(id: PartID): number {
  return timeWithin(id.slice("prt_".length))
}

function timeWithin(rest: string): number {
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(rest) ? timeOf(rest) : 0
}

/**
 * Returns numbers from 0 to below 1, in steps fine enough for a digit. Fetches random bytes in batches: the call costs,
 * not the bytes.
 */
function secureFractions(): () => number {
  const pool = new Uint8Array(512)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    return (pool[used++] ?? 0) / 256
  }
}

/** Replaces each digit by its complement, which reverses the order. */
function mirrored(ulid: string): string {
  let text = ""
  for (const digit of ulid) text += ALPHABET[31 - ALPHABET.indexOf(digit)]
  return text
}

/** Returns whether an id was made after another one of any kind, by the same source or by one whose clock agrees. */
export function madeAfter(id: string, other: string): boolean {
  return id.slice(id.indexOf("_") + 1) > other.slice(other.indexOf("_") + 1)
}
