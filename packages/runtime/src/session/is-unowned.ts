import { randomUUID } from "node:crypto"
import type { SessionID, Storage } from "@pawl/core/storage"

/** Length of the lease, which is released at once. */
const LEASE_MS = 1000

/** Returns true if no process runs the session at the moment. */
export async function isUnowned(storage: Pick<Storage, "acquire">, sessionID: SessionID): Promise<boolean> {
  const lease = await storage.acquire(sessionID, `look:${randomUUID()}`, LEASE_MS)
  await lease?.release()
  return lease !== undefined
}
