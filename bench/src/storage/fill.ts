import type { SessionID, MaintainedStorage, Write } from "@pawl/core/storage"
import {
  messageID,
  partID,
  sampleAssistantMessage,
  sampleSession,
  sampleText,
  sessionID,
} from "@pawl/storage-testkit/samples"

const BATCH = 500

/** Creates a session with `messages` messages of one part. The boundary is `tail` messages before the end. */
export async function fillSession(
  storage: MaintainedStorage,
  id: SessionID,
  messages: number,
  tail: number,
): Promise<void> {
  await storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])
  for (let first = 1; first <= messages; first += BATCH) {
    await storage.commit(id, writesOf(id, first, Math.min(first + BATCH - 1, messages)))
  }
  const boundary = messageID(Math.max(1, messages - tail + 1))
  await storage.commit(id, [{ type: "session.patch", changes: { boundary } }])
}

/** Creates empty sessions. */
export async function fillSessions(storage: MaintainedStorage, count: number): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => sessionID(first + index))
    await Promise.all(ids.map((id) => storage.commit(id, [{ type: "session.put", session: sampleSession(id) }])))
  }
}

function writesOf(id: SessionID, first: number, last: number): Write[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((number) => [
    { type: "message.put", message: sampleAssistantMessage(id, messageID(number)) },
    { type: "part.put", part: sampleText(id, messageID(number), partID(number), { text: `The answer ${number}.` }) },
  ])
}
