import { writeSync } from "node:fs"
import type { MaintainedStorage } from "@pawl/core/storage"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "../samples.ts"
import { putMessage, putPart, putSession } from "../writes.ts"

/** Commits messages with a part under a lease until it is killed. Prints each revision after it was acknowledged. */
export async function commitForever(storage: MaintainedStorage): Promise<never> {
  const session = sessionID(1)
  await storage.commit(session, [putSession(sampleSession(session))])
  const lease = await storage.acquire(session, "own_child", 60_000)

  for (let number = 1; ; number++) {
    const text = "x".repeat((number * 997) % 5000)
    const message = putMessage(sampleUserMessage(session, messageID(number)))
    const part = putPart(sampleText(session, messageID(number), partID(number), { text }))
    writeSync(1, `${await storage.commit(session, [message, part], lease?.token)}\n`)
  }
}
