import { type AssistantMessage, type MessageWithParts, isAssistant, isUser } from "../record/message.ts"

type Answer = MessageWithParts<AssistantMessage>

/**
 * Reads the answers of the open turn, oldest first, the newest `limit` items. Keeps what it has read: a message is read
 * once, and answers that a compaction has taken out of the messages still count if they were seen. One for each run, to
 * be called with the history whenever it has changed.
 */
export function createTurnFold<T>(
  limit: number,
  read: (answer: Answer) => readonly T[],
): (messages: readonly MessageWithParts[]) => readonly T[] {
  const memo = new WeakMap<MessageWithParts, readonly T[]>()
  let known: readonly { readonly id: string; readonly items: readonly T[] }[] = []
  const itemsOf = (answer: Answer) => {
    let items = memo.get(answer)
    if (!items) memo.set(answer, (items = read(answer)))
    return items
  }
  return (messages) => {
    let turn: { readonly id: string; readonly parentID: string; readonly items: readonly T[] }[] = []
    let count = 0
    let at = messages.length - 1
    for (; at >= 0 && count < limit; at--) {
      const message = messages[at]
      if (!message) break
      if (isPrompt(message)) {
        // An answer to the prompt before it can sort behind it.
        turn = turn.filter(({ parentID }) => parentID >= message.info.id)
        break
      }
      if (!isAssistant(message) || message.info.summary) continue
      const items = itemsOf(message)
      count += items.length
      if (items.length > 0) turn.push({ id: message.info.id, parentID: message.info.parentID, items })
    }
    const first = messages[0]?.info.id ?? ""
    const left = at < 0 ? known.filter(({ id }) => id < first) : []
    known = newest([...left, ...turn.toReversed()], limit)
    return known.flatMap(({ items }) => items).slice(-limit)
  }
}

/** As many of the newest answers as it takes to have so many items. */
function newest<A extends { readonly items: readonly unknown[] }>(answers: readonly A[], limit: number): readonly A[] {
  let count = 0
  let at = answers.length
  while (at > 0 && count < limit) count += answers[--at]?.items.length ?? 0
  return answers.slice(at)
}

/** Written by a person: begins a turn. What compactions and the engine write goes on with the one before. */
function isPrompt(message: MessageWithParts): boolean {
  if (!isUser(message) || message.parts.some((part) => part.type === "compaction")) return false
  return message.parts.some((part) => part.type !== "text" || !part.synthetic)
}
