import type { MessageWithParts, Write } from "@pawl/core/storage"
import { canonicalJSON } from "./json.ts"

/** The message of one id on both sides, where it is there. */
export interface MessagePair {
  readonly wanted: MessageWithParts | undefined
  readonly stored: MessageWithParts | undefined
}

/** Walks two lists of messages, both newest first, side by side; one message of each is held. */
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

/** Whether the stored side has a message that the wanted side has not. */
export async function hasMore(
  stored: AsyncIterable<MessageWithParts>,
  wanted: AsyncIterable<MessageWithParts>,
): Promise<boolean> {
  for await (const pair of joinedMessages(wanted, stored)) if (!pair.wanted) return true
  return false
}

/** What makes the stored message the wanted one. */
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
  // Most storages keep the order of fields.
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
