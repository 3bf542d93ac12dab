import { createHash } from "node:crypto"
import type { MessageID, PartID, Session, SessionID } from "@pawl/core/storage"

// Ids that are derived from the content, so that a second import finds the sessions of the first one.

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const TIME_LENGTH = 10
const RANK_LENGTH = 7

/** The id sorts by creation time among the sessions of a storage. `key` identifies the session. */
export function derivedSessionID({ time }: Pick<Session, "time">, key: string): SessionID {
  const newestFirst = Array.from(toDigits(time.created, TIME_LENGTH), (digit) => DIGITS[31 - DIGITS.indexOf(digit)])
  return `ses_${newestFirst.join("")}${hashDigits(key, 16)}`
}

export interface DerivedIDs {
  /** Each id sorts after the one before it. */
  message(): MessageID
  part(): PartID
}

/** Returns ids for all messages of a session and their parts. Request them oldest first. */
export function derivedIDs({ time }: Pick<Session, "time">, key: string): DerivedIDs {
  const start = toDigits(time.created, TIME_LENGTH) + hashDigits(key, 26 - TIME_LENGTH - RANK_LENGTH)
  let [messages, parts] = [0, 0]
  return {
    message: () => `msg_${start}${toDigits(messages++, RANK_LENGTH)}`,
    part: () => `prt_${start}${toDigits(parts++, RANK_LENGTH)}`,
  }
}

function hashDigits(key: string, length: number): string {
  const bytes = createHash("sha256").update(key).digest()
  return Array.from(bytes.subarray(0, length), (byte) => DIGITS[byte % 32]).join("")
}

function toDigits(number: number, length: number): string {
  let rest = Number.isFinite(number) ? Math.min(Math.max(0, Math.floor(number)), 2 ** 48 - 1) : 0
  let text = ""
  for (let at = 0; at < length; at++) {
    text = `${DIGITS[rest % 32]}${text}`
    rest = Math.floor(rest / 32)
  }
  return text
}
