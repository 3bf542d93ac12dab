import { randomUUID } from "node:crypto"
import type { SessionID, Storage } from "@pawl/core"

/** Milliseconds: nothing is done with it. */
const SHORT = 1000

/** Whether no process works on the session at the moment. */
export async function isUnowned(storage: Pick<Storage, "acquire">, sessionID: SessionID): Promise<boolean> {
  const lease = await storage.acquire(sessionID, `look:${randomUUID()}`, SHORT)
  await lease?.release()
  return lease !== undefined
}
