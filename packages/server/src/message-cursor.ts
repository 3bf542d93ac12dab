import type { Message, MessageID } from "@pawl/core/record"
import { RequestError } from "./request-error.ts"

/** Returns a cursor for the messages before this one. */
export function cursorOf({ id, time }: Message): string {
  return Buffer.from(JSON.stringify({ id, time: time.created })).toString("base64url")
}

/** Returns the message of a cursor or of a plain id. Throws RequestError if it is invalid. */
export function readCursor(cursor: string): MessageID {
  if (isMessageID(cursor)) return cursor
  try {
    const { id } = JSON.parse(Buffer.from(cursor, "base64url").toString()) as { readonly id?: unknown }
    if (typeof id === "string" && isMessageID(id)) return id
  } catch {
    // Throws below.
  }
  throw new RequestError("Query", '"before" is not a valid cursor: use the value of the header X-Next-Cursor.')
}

export function isMessageID(text: string): text is MessageID {
  return text.startsWith("msg_")
}
