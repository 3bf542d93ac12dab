import type { Part, PartID, SearchQuery, Session, SessionID, MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage } from "./samples.ts"
import { collect, putMessage, putPart, putSession } from "./writes.ts"

/** Stores a session with one message that has these parts, in one commit. */
export async function storeParts(
  storage: MaintainedStorage,
  id: SessionID,
  parts: readonly Part[],
  fields: Partial<Session> = {},
): Promise<void> {
  const message = sampleUserMessage(id, messageID(1))
  await storage.commit(id, [putSession(sampleSession(id, fields)), putMessage(message), ...parts.map(putPart)])
}

/** Stores a session with these texts as parts 1, 2, 3 …. */
export async function storeTexts(
  storage: MaintainedStorage,
  id: SessionID,
  texts: readonly string[],
  fields: Partial<Session> = {},
): Promise<void> {
  await storeParts(
    storage,
    id,
    texts.map((text, index) => textPart(id, index + 1, text)),
    fields,
  )
}

/** Returns a part of message 1. */
export function textPart(id: SessionID, number: number, text: string): Part {
  return sampleText(id, messageID(1), partID(number), { text })
}

/** Returns the ids of the parts that the search finds, in its order. */
export async function search(
  storage: MaintainedStorage,
  text: string,
  query: Omit<SearchQuery, "text"> = {},
): Promise<PartID[]> {
  return (await collect(storage.search({ ...query, text }))).map((hit) => hit.partID)
}
