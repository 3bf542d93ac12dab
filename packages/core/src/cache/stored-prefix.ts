import type { ModelMessage } from "../contracts/model.ts"
import { digest } from "../base/digest.ts"
import { compareHead, messageBlock, type Prefix, type PrefixChange } from "./prefix.ts"

/** A prefix as it is stored with the end of its step, for comparisons after a restart. Below 200 bytes of JSON. */
export interface StoredPrefix {
  /** A hash for each block of the system prompt, and one for the tools behind them. */
  readonly head: readonly string[]
  /** Number of messages; `hash` covers them all. */
  readonly messages: number
  readonly hash: string
  /** Number of steps in a row, up to this one, that began with the request of the previous step. At least 1. */
  readonly steps: number
}

/** Characters of a stored hash: 48 bits, enough against collisions. */
const HASH_LENGTH = 8
/** Maximum stored system blocks. In longer prompts the last of these covers all that follow. */
const MAX_SYSTEM_BLOCKS = 6

/**
 * Returns the prefix to store. `last`: prefix of the previous step, if the request began with the whole of that
 * request.
 */
export function storePrefix(prefix: Prefix, last: StoredPrefix | undefined): StoredPrefix {
  return {
    head: [...headOf(prefix), prefix.tools.slice(0, HASH_LENGTH)],
    messages: prefix.messages.length,
    hash: hashOf(prefix, prefix.messages.length),
    steps: (last?.steps ?? 0) + 1,
  }
}

/**
 * Compares a request with stored prefixes. `stored` is oldest first and ends with the last request, which used `model`.
 * Names the first changed block of the head exactly. For messages: the first message of the step that changed. Works
 * with any number of earlier steps, also with the last step alone.
 */
export function compareStored(stored: readonly StoredPrefix[], model: string, now: Prefix): PrefixChange | undefined {
  const last = stored.at(-1)
  if (!last) return undefined
  const before = { model, system: last.head.slice(0, -1), tools: last.head.at(-1) ?? "" }
  const short = { model: now.model, system: headOf(now), tools: now.tools.slice(0, HASH_LENGTH) }
  const head = compareHead(before, short)
  if (head) return head
  const isKept = ({ messages, hash }: StoredPrefix) => hashOf(now, messages) === hash
  if (isKept(last)) return undefined
  // Each of these prefixes begins the next one, so a first part of the row is kept, and none behind it.
  const row = stored.slice(-last.steps)
  const kept = row[countKept(row, isKept) - 1]
  return { reason: "messages", firstChangedBlock: messageBlock(kept?.messages ?? 0) }
}

/** Returns whether the stored request was a beginning of this one, followed by `message`. */
export function endedWith(message: ModelMessage, { messages: count, hash }: StoredPrefix, now: Prefix): boolean {
  const messages = [...now.messages.slice(0, count - 1), digest(JSON.stringify(message))]
  return messages.length === count && hashOf({ ...now, messages }, count) === hash
}

/** Counts the kept prefixes with a binary search, because hashing for thousands of steps would take seconds. */
function countKept<T>(row: readonly T[], isKept: (each: T) => boolean): number {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const each = row[middle]
    if (each !== undefined && isKept(each)) low = middle + 1
    else high = middle
  }
  return low
}

function headOf({ system }: Prefix): string[] {
  if (system.length <= MAX_SYSTEM_BLOCKS) return system.map((hash) => hash.slice(0, HASH_LENGTH))
  const rest = digest(system.slice(MAX_SYSTEM_BLOCKS - 1).join(""))
  return [...system.slice(0, MAX_SYSTEM_BLOCKS - 1), rest].map((hash) => hash.slice(0, HASH_LENGTH))
}

function hashOf({ messages }: Prefix, count: number): string {
  return digest(messages.slice(0, count).join("")).slice(0, HASH_LENGTH)
}
