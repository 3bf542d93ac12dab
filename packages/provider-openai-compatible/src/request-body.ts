/**
 * The body with `messages` as its last key and the others in their order, so that the bytes of a request are the
 * beginning of the next one's and a server can use its cache of them.
 */
export function messagesLast({ messages, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...rest, messages }
}
