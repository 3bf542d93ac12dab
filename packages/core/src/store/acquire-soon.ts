import { setTimeout } from "node:timers/promises"
import { SessionBusyError } from "../base/errors.ts"
import type { SessionID } from "../base/ids.ts"
import type { Lease, Storage } from "../contracts/storage.ts"

/** Longer than a change of a title or of the pinned notes takes, which also holds the lease. */
const WAIT_MS = 250
const POLL_MS = 10

/** Returns the session's lease; undefined if another owner holds it for longer than `waitMs`. */
export async function acquireSoon(
  storage: Pick<Storage, "acquire">,
  id: SessionID,
  owner: string,
  ttl: number,
  waitMs = WAIT_MS,
): Promise<Lease | undefined> {
  for (let waited = 0; ; waited += POLL_MS) {
    const lease = await storage.acquire(id, owner, ttl)
    if (lease || waited >= waitMs) return lease
    await setTimeout(POLL_MS)
  }
}

/** Creates the error for a busy session. Names the present owner if the storage knows it. */
export async function busyError(storage: Pick<Storage, "leaseHolder">, id: SessionID): Promise<SessionBusyError> {
  // A failed look-up only makes the message less precise.
  return new SessionBusyError(id, await storage.leaseHolder?.(id).catch(() => undefined))
}
