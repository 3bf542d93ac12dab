export const eventStreamHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }

/** A comment, which clients do not treat as an event. */
export const commentFrame = ": keep-alive\n\n"

/** Encodes a server-sent event without a name. */
export function dataFrame(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** Encodes a server-sent event that is named after the type of its value. */
export function typedFrame(value: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${value.type}\n${dataFrame(value)}`
}
