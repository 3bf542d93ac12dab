import { decodeTime, monotonicFactory } from "ulid"

export type SessionID = `ses_${string}`
export type MessageID = `msg_${string}`
export type PartID = `prt_${string}`

/**
 * Makes ids that sort: message and part ids oldest first, session ids newest first. Unique and ascending within one
 * source even when the clock stands still or jumps back.
 */
export interface IDSource {
  session(): SessionID
  /** `after`: an id that the new one must sort behind, whatever this machine's clock says. */
  message(after?: MessageID): MessageID
  part(after?: PartID): PartID
  /** An opaque id with a prefix of the caller's, such as `per` or `own`. */
  other(prefix: string): string
}

function timeOf(id: string): number {
  try {
    return decodeTime(id.slice(4))
  } catch {
    return 0
  }
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

export function createIDSource(now: () => number): IDSource {
  const next = monotonicFactory()
  const ulid = (after?: string) => {
    const id = next(after ? Math.max(now(), timeOf(after) + 1) : now())
    // An id of a foreign kind sorts by another alphabet: what is made from its beginning sorts behind it.
    return after === undefined || id > after.slice(4) ? id : `${after.slice(4, 16)}zz${id}`
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

/** Each digit replaced by its complement: what sorted up now sorts down. */
function mirrored(ulid: string): string {
  let text = ""
  for (const digit of ulid) text += ALPHABET[31 - ALPHABET.indexOf(digit)]
  return text
}
