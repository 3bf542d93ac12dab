import { type AssistantMessage, type MessageWithParts, isAssistant, isUser } from "../record/message.ts"

type Answer = MessageWithParts<AssistantMessage>

/**
 * Creates the reader of the newest `limit` items of the open turn's answers, oldest first. Keeps its results: a message
 * is read once, and answers that a compaction has removed still count if they were read before. Use one for each run,
 * and call it with the history whenever that has changed.
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
        // An answer to the previous prompt can sort after this one.
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

/** Returns the newest answers that together have `limit` items. */
function newest<A extends { readonly items: readonly unknown[] }>(answers: readonly A[], limit: number): readonly A[] {
  let count = 0
  let at = answers.length
  while (at > 0 && count < limit) count += answers[--at]?.items.length ?? 0
  return answers.slice(at)
}

/**
 * Returns whether the user wrote a message, which begins a turn. Messages of compactions and of the engine continue the
 * previous turn.
 */
function isPrompt(message: MessageWithParts): boolean {
  if (!isUser(message) || message.parts.some((part) => part.type === "compaction")) return false
  return message.parts.some((part) => part.type !== "text" || !part.synthetic)
}
