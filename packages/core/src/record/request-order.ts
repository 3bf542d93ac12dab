import type { CompactionPart, MessageWithParts, UserMessage } from "./message.ts"
import { compactionsOf, isInTail, isRecord, isStatePart, type CompactionRecord } from "./compaction-record.ts"

/** The messages of a context in the order in which a model reads them. */
export interface RequestOrder {
  /**
   * Messages that the newest compaction left: its question, its summary and the state. Empty before the first
   * compaction.
   */
  readonly summaryMessages: readonly MessageWithParts[]
  /** Messages that stay word for word, each answer after the message that it answers. */
  readonly conversation: readonly MessageWithParts[]
}

export type Arrange = (stored: readonly MessageWithParts[]) => RequestOrder

/**
 * Creates the function that orders messages. Messages keep their identity; messages derived from a marker or from a
 * partly kept message are made once.
 */
export function createArrangement(): Arrange {
  let last: { readonly stored: readonly MessageWithParts[]; readonly order: RequestOrder } | undefined
  const halves = new WeakMap<MessageWithParts, readonly [MessageWithParts, MessageWithParts]>()
  const shortened = new WeakMap<MessageWithParts, MessageWithParts>()

  function split({ marker }: CompactionRecord): readonly [question: MessageWithParts, state: MessageWithParts] {
    const known = halves.get(marker)
    if (known) return known
    const question = { info: marker.info, parts: marker.parts.filter((part) => part.type === "compaction") }
    const pair = [question, { info: marker.info, parts: marker.parts.filter((part) => isStatePart(part)) }] as const
    halves.set(marker, pair)
    return pair
  }

  function keptOf(message: MessageWithParts, { keep = [] }: CompactionPart): readonly MessageWithParts[] {
    if (keep.includes(message.info.id)) return [message]
    const parts = message.parts.filter((part) => keep.includes(part.id))
    if (parts.length === 0) return []
    const known = shortened.get(message)
    if (known && known.parts.length === parts.length && known.parts.every((part, at) => part === parts[at]))
      return [known]
    const kept = { info: message.info, parts }
    shortened.set(message, kept)
    return [kept]
  }

  function arrange(stored: readonly MessageWithParts[]): RequestOrder {
    if (!stored.some((message) => isRecord(message))) return { summaryMessages: [], conversation: inTurnOrder(stored) }
    const applied = compactionsOf(stored).findLast(({ isApplied }) => isApplied)
    const conversation = stored.filter((message) => !isRecord(message))
    if (!applied?.summary) return { summaryMessages: [], conversation: inTurnOrder(conversation) }
    const { part, marker, summary } = applied
    const [question, state] = split(applied)
    const stays = conversation.flatMap((message) =>
      isInTail(marker, message.info.id) ? [message] : keptOf(message, part),
    )
    const summaryMessages = [question, summary, ...(state.parts.length > 0 ? [state] : [])]
    return { summaryMessages, conversation: inTurnOrder(stays) }
  }

  // A step calls this several times with the same messages.
  return (stored) => {
    if (last?.stored !== stored) last = { stored, order: arrange(stored) }
    return last.order
  }
}

/**
 * Sorts each answer after the message that it answers. A prompt that arrives while a step is about to begin can sort
 * before the answer to the previous prompt, although that answer has not read it.
 */
function inTurnOrder(messages: readonly MessageWithParts[]): readonly MessageWithParts[] {
  let newest = ""
  const isInOrder = messages.every((message) => {
    const turn = turnOf(message)
    const follows = turn >= newest
    newest = turn
    return follows
  })
  return isInOrder ? messages : messages.toSorted((a, b) => compare(turnOf(a), turnOf(b)))
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function turnOf({ info }: MessageWithParts): string {
  return info.role === "user" ? info.id : info.parentID
}

/** Returns whether a message is a request of a user or a program, not one of the engine. */
export function isRequest(message: MessageWithParts): message is MessageWithParts<UserMessage> {
  if (message.info.role !== "user" || isRecord(message)) return false
  return message.parts.some((part) => part.type === "file" || (part.type === "text" && !part.synthetic))
}
