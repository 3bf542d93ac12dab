import { setTimeout } from "node:timers/promises"
import { SessionBusyError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Lease, Storage } from "../contracts/storage.ts"

/** Milliseconds: longer than a change of a title or of the pinned notes takes, during which a session is held too. */
const PATIENCE = 250
const PAUSE = 10

/** The session's lease; undefined where another owner holds it for longer than a moment. `patience`: milliseconds. */
export async function acquireSoon(
  storage: Pick<Storage, "acquire">,
  id: SessionID,
  owner: string,
  ttl: number,
  patience = PATIENCE,
): Promise<Lease | undefined> {
  for (let waited = 0; ; waited += PAUSE) {
    const lease = await storage.acquire(id, owner, ttl)
    if (lease || waited >= patience) return lease
    await setTimeout(PAUSE)
  }
}

/** Names the present owner where the storage knows it. */
export async function busyError(storage: Pick<Storage, "leaseHolder">, id: SessionID): Promise<SessionBusyError> {
  // Only a better message depends on the answer.
  return new SessionBusyError(id, await storage.leaseHolder?.(id).catch(() => undefined))
}
