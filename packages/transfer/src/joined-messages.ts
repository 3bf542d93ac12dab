import type { MessageWithParts, Write } from "@pawl/core/storage"
import { canonicalJSON } from "./json.ts"

/** Messages with the same id on both sides; undefined if a side lacks the message. */
export interface MessagePair {
  readonly wanted: MessageWithParts | undefined
  readonly stored: MessageWithParts | undefined
}

/** Joins two lists of messages, both newest first. Holds one message of each. */
export async function* joinedMessages(
  wanted: AsyncIterable<MessageWithParts>,
  stored: AsyncIterable<MessageWithParts>,
): AsyncGenerator<MessagePair> {
  const [left, right] = [wanted[Symbol.asyncIterator](), stored[Symbol.asyncIterator]()]
  try {
    let [a, b] = [await nextOf(left), await nextOf(right)]
    while (a || b) {
      const takesA = a !== undefined && (!b || a.info.id >= b.info.id)
      const takesB = b !== undefined && (!a || b.info.id >= a.info.id)
      yield { wanted: takesA ? a : undefined, stored: takesB ? b : undefined }
      if (takesA) a = descending(a, await nextOf(left))
      if (takesB) b = await nextOf(right)
    }
  } finally {
    await left.return?.()
    await right.return?.()
  }
}

/** Returns true if `stored` has a message that `wanted` lacks. */
export async function hasMore(
  stored: AsyncIterable<MessageWithParts>,
  wanted: AsyncIterable<MessageWithParts>,
): Promise<boolean> {
  for await (const pair of joinedMessages(wanted, stored)) if (!pair.wanted) return true
  return false
}

/** Returns the writes that make the stored message equal to the wanted one. */
export function differences({ wanted, stored }: MessagePair): Write[] {
  if (!wanted) return stored ? [{ type: "message.remove", messageID: stored.info.id }] : []
  const writes: Write[] = []
  if (!isSame(wanted.info, stored?.info)) writes.push({ type: "message.put", message: wanted.info })
  const known = new Map(stored?.parts.map((part) => [part.id, part]))
  for (const part of wanted.parts) {
    if (!isSame(part, known.get(part.id))) writes.push({ type: "part.put", part })
    known.delete(part.id)
  }
  for (const partID of known.keys()) writes.push({ type: "part.remove", messageID: wanted.info.id, partID })
  return writes
}

export function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b
  // Fast path: most storages keep the order of fields.
  return JSON.stringify(a) === JSON.stringify(b) || canonicalJSON(a) === canonicalJSON(b)
}

async function nextOf(messages: AsyncIterator<MessageWithParts>): Promise<MessageWithParts | undefined> {
  const next = await messages.next()
  return next.done ? undefined : next.value
}

function descending(
  before: MessageWithParts | undefined,
  next: MessageWithParts | undefined,
): MessageWithParts | undefined {
  if (before && next && next.info.id >= before.info.id) {
    throw new Error(`Message ${next.info.id} comes behind ${before.info.id}; a session is read newest message first.`)
  }
  return next
}
