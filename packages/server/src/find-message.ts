import type { Engine, MessageWithParts, SessionID } from "@pawl/core"
import type { MessageID } from "@pawl/core/record"

/** The message of this id; undefined without one. Rejects with NotFoundError for an unknown session. */
export async function findMessage(
  engine: Pick<Engine, "getSession" | "readMessages">,
  sessionID: SessionID,
  messageID: MessageID,
): Promise<MessageWithParts | undefined> {
  await engine.getSession(sessionID)
  // Ids are in order: what sorts just behind this one comes just before its end.
  const query = { before: `${messageID}0` as MessageID, limit: 1 }
  for await (const message of engine.readMessages(sessionID, query)) {
    if (message.info.id === messageID) return message
  }
  return undefined
}

/** The newest one that fits; undefined without one. */
export async function newestMessage(
  engine: Pick<Engine, "readMessages">,
  sessionID: SessionID,
  fits: (message: MessageWithParts) => boolean,
): Promise<MessageWithParts | undefined> {
  for await (const message of engine.readMessages(sessionID)) if (fits(message)) return message
  return undefined
}
