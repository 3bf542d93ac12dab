/**
 * Moves `messages` to the end and keeps the order of other keys, so that each request begins with the bytes of the
 * previous one and a server can use its cache.
 */
export function messagesLast({ messages, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...rest, messages }
}
