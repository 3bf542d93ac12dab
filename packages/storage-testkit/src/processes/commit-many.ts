import type { MaintainedStorage } from "@pawl/core/storage"
import { messageID, sampleSession, sampleUserMessage, sessionID } from "../samples.ts"
import { putMessage, putSession } from "../writes.ts"

/** Commits a number of messages to a session to which other processes write at the same time. */
export async function commitMany(storage: MaintainedStorage, first: number, count: number): Promise<void> {
  const session = sessionID(1)
  await storage.commit(session, [putSession(sampleSession(session))])
  for (let number = first; number < first + count; number++) {
    await storage.commit(session, [putMessage(sampleUserMessage(session, messageID(number)))])
  }
}
