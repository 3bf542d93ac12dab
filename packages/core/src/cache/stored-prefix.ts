import type { ModelMessage } from "../contracts/model.ts"
import { digest } from "../base/digest.ts"
import { compareHead, messageBlock, type Prefix, type PrefixChange } from "./prefix.ts"

/** A prefix as it is stored with the end of its step, for those who come after a restart. Below 200 bytes of JSON. */
export interface StoredPrefix {
  /** A hash for each block of the system prompt, and one for the tools behind them. */
  readonly head: readonly string[]
  /** How many messages there were, and one hash for them all. */
  readonly messages: number
  readonly hash: string
  /** How many steps up to this one each began with the request of the step before it. At least 1. */
  readonly steps: number
}

/** Characters: 48 bits, against chance. */
const LENGTH = 8
/** Prompts of more system blocks are stored as if the last of these were all that follow. */
const MOST_SYSTEM_BLOCKS = 6

/** `last`: of the step before, if the request began with all of that step's request. */
export function storePrefix(prefix: Prefix, last: StoredPrefix | undefined): StoredPrefix {
  return {
    head: [...headOf(prefix), prefix.tools.slice(0, LENGTH)],
    messages: prefix.messages.length,
    hash: hashOf(prefix, prefix.messages.length),
    steps: (last?.steps ?? 0) + 1,
  }
}

/**
 * Like `comparePrefix`, from what the steps of a session have stored: `stored` is oldest first and ends with the last
 * request, `model` made that one. Names the first block exactly, among messages the first of the step that changed:
 * those before it are the same. As many earlier steps as are given, and the last alone, will do.
 */
export function compareStored(stored: readonly StoredPrefix[], model: string, now: Prefix): PrefixChange | undefined {
  const last = stored.at(-1)
  if (!last) return undefined
  const before = { model, system: last.head.slice(0, -1), tools: last.head.at(-1) ?? "" }
  const short = { model: now.model, system: headOf(now), tools: now.tools.slice(0, LENGTH) }
  const head = compareHead(before, short)
  if (head) return head
  const isKept = ({ messages, hash }: StoredPrefix) => hashOf(now, messages) === hash
  if (isKept(last)) return undefined
  // Each of these was the beginning of the next: all up to one are kept, and none behind it.
  const row = stored.slice(-last.steps)
  const kept = row[countKept(row, isKept) - 1]
  return { reason: "messages", firstChangedBlock: messageBlock(kept?.messages ?? 0) }
}

/** Whether the stored request was the beginning of this one with one message more behind it. */
export function endedWith(message: ModelMessage, { messages: count, hash }: StoredPrefix, now: Prefix): boolean {
  const messages = [...now.messages.slice(0, count - 1), digest(JSON.stringify(message))]
  return messages.length === count && hashOf({ ...now, messages }, count) === hash
}

/** By halves: hashing for each of thousands of steps would take seconds. */
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
  if (system.length <= MOST_SYSTEM_BLOCKS) return system.map((hash) => hash.slice(0, LENGTH))
  const rest = digest(system.slice(MOST_SYSTEM_BLOCKS - 1).join(""))
  return [...system.slice(0, MOST_SYSTEM_BLOCKS - 1), rest].map((hash) => hash.slice(0, LENGTH))
}

function hashOf({ messages }: Prefix, count: number): string {
  return digest(messages.slice(0, count).join("")).slice(0, LENGTH)
}
