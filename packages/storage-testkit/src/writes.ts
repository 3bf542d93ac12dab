import type { Message, MessageWithParts, Part, Session, SessionID, MaintainedStorage, Write } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage } from "./samples.ts"

export function putSession(session: Session): Write {
  return { type: "session.put", session }
}

export function putMessage(message: Message): Write {
  return { type: "message.put", message }
}

export function putPart(part: Part): Write {
  return { type: "part.put", part }
}

/** Stores a session with messages 1 to `count`, each with one text part of its number, in one commit. */
export async function storeConversation(
  storage: MaintainedStorage,
  id: SessionID,
  count: number,
): Promise<MessageWithParts[]> {
  const messages = Array.from({ length: count }, (_, index): MessageWithParts => {
    const info = sampleUserMessage(id, messageID(index + 1))
    return { info, parts: [sampleText(id, info.id, partID(index + 1), { text: `Message ${index + 1}` })] }
  })
  const writes = messages.flatMap(({ info, parts }) => [putMessage(info), ...parts.map(putPart)])
  await storage.commit(id, [putSession(sampleSession(id)), ...writes])
  return messages
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}
