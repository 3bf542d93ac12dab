import type { CompactionPart, MessageWithParts, UserMessage } from "./message.ts"
import { compactionsOf, isInTail, isRecord, isStatePart, type CompactionRecord } from "./compaction-record.ts"

/** The messages of a context in the order in which a model reads them. */
export interface Arrangement {
  /** What the newest compaction left: its question, its summary, the state. Empty before the first. */
  readonly lead: readonly MessageWithParts[]
  /** What stays word for word, each answer behind what it answers. */
  readonly talk: readonly MessageWithParts[]
}

export type Arrange = (stored: readonly MessageWithParts[]) => Arrangement

/** Messages keep their identity; what is made of a marker, or of a message that is kept in part, is made once. */
export function createArrangement(): Arrange {
  let last: { readonly stored: readonly MessageWithParts[]; readonly arrangement: Arrangement } | undefined
  const halves = new WeakMap<MessageWithParts, readonly [MessageWithParts, MessageWithParts]>()
  const shortened = new WeakMap<MessageWithParts, MessageWithParts>()

  function split({ marker }: CompactionRecord): readonly [question: MessageWithParts, state: MessageWithParts] {
    const known = halves.get(marker)
    if (known) return known
    const question = { info: marker.info, parts: marker.parts.filter((part) => part.type === "compaction") }
    const made = [question, { info: marker.info, parts: marker.parts.filter((part) => isStatePart(part)) }] as const
    halves.set(marker, made)
    return made
  }

  function keptOf(message: MessageWithParts, { keep = [] }: CompactionPart): readonly MessageWithParts[] {
    if (keep.includes(message.info.id)) return [message]
    const parts = message.parts.filter((part) => keep.includes(part.id))
    if (parts.length === 0) return []
    const known = shortened.get(message)
    if (known && known.parts.length === parts.length && known.parts.every((part, at) => part === parts[at]))
      return [known]
    const made = { info: message.info, parts }
    shortened.set(message, made)
    return [made]
  }

  function arrange(stored: readonly MessageWithParts[]): Arrangement {
    if (!stored.some((message) => isRecord(message))) return { lead: [], talk: inTurnOrder(stored) }
    const applied = compactionsOf(stored).findLast(({ isApplied }) => isApplied)
    const talk = stored.filter((message) => !isRecord(message))
    if (!applied?.summary) return { lead: [], talk: inTurnOrder(talk) }
    const { part, marker, summary } = applied
    const [question, state] = split(applied)
    const stays = talk.flatMap((message) => (isInTail(marker, message.info.id) ? [message] : keptOf(message, part)))
    const lead = [question, summary, ...(state.parts.length > 0 ? [state] : [])]
    return { lead, talk: inTurnOrder(stays) }
  }

  // A step asks several times for the same.
  return (stored) => {
    if (last?.stored !== stored) last = { stored, arrangement: arrange(stored) }
    return last.arrangement
  }
}

/**
 * Each answer behind what it answers. A prompt that comes while a step is about to begin can sort before the answer to
 * the prompt before it, which has not seen it.
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

/** Whether it is what a person or a program asked for, and not the engine. */
export function isRequest(message: MessageWithParts): message is MessageWithParts<UserMessage> {
  if (message.info.role !== "user" || isRecord(message)) return false
  return message.parts.some((part) => part.type === "file" || (part.type === "text" && !part.synthetic))
}
