import type { Engine, MessageWithParts, SessionID } from "@pawl/core"
import type { MessageID } from "@pawl/core/record"

/** Returns undefined if the message is missing. Rejects with NotFoundError if the session is missing. */
export async function findMessage(
  engine: Pick<Engine, "getSession" | "readMessages">,
  sessionID: SessionID,
  messageID: MessageID,
): Promise<MessageWithParts | undefined> {
  await engine.getSession(sessionID)
  // Ids are ordered, so this is the position just after the message.
  const query = { before: `${messageID}0` as MessageID, limit: 1 }
  for await (const message of engine.readMessages(sessionID, query)) {
    if (message.info.id === messageID) return message
  }
  return undefined
}

/** Returns the newest message that fits; undefined if there is no such message. */
export async function newestMessage(
  engine: Pick<Engine, "readMessages">,
  sessionID: SessionID,
  fits: (message: MessageWithParts) => boolean,
): Promise<MessageWithParts | undefined> {
  for await (const message of engine.readMessages(sessionID)) if (fits(message)) return message
  return undefined
}
