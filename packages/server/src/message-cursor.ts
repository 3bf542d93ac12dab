import type { Message, MessageID } from "@pawl/core/record"
import { RequestError } from "./request-error.ts"

/** Names the place before a message in a list of messages. */
export function cursorOf({ id, time }: Message): string {
  return Buffer.from(JSON.stringify({ id, time: time.created })).toString("base64url")
}

/** The message of a cursor, or of a plain id. Throws RequestError. */
export function readCursor(cursor: string): MessageID {
  if (isMessageID(cursor)) return cursor
  try {
    const { id } = JSON.parse(Buffer.from(cursor, "base64url").toString()) as { readonly id?: unknown }
    if (typeof id === "string" && isMessageID(id)) return id
  } catch {
    // Said below.
  }
  throw new RequestError("Query", '"before" is no cursor: give back what the header X-Next-Cursor said.')
}

function isMessageID(text: string): text is MessageID {
  return text.startsWith("msg_")
}
