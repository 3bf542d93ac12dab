/** Consecutive messages with the same role, as the API joins them. A text content is one text block. */
export interface Turn {
  readonly role: unknown
  /** The position of the first message. */
  readonly place: string
  readonly blocks: readonly Readonly<Record<string, unknown>>[]
}

/** Joins messages that are valid. */
export function toTurns(messages: readonly unknown[]): Turn[] {
  const turns: (Turn & { blocks: Record<string, unknown>[] })[] = []
  for (const [index, message] of messages.entries()) {
    const { role, content } = message as { role: unknown; content: string | Record<string, unknown>[] }
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content
    const last = turns.at(-1)
    if (last !== undefined && last.role === role) last.blocks.push(...blocks)
    else turns.push({ role, place: `messages[${index}]`, blocks: [...blocks] })
  }
  return turns
}
