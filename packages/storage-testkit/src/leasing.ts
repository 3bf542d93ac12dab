import { setTimeout as sleep } from "node:timers/promises"
import type { Lease, SessionID, MaintainedStorage } from "@pawl/core/storage"
import { sampleSession } from "./samples.ts"
import { putSession } from "./writes.ts"

/** Milliseconds. Longer than any spec runs. */
export const LONG = 60_000

/** Acquires the session. Rejects if it is not free now. */
export async function acquire(storage: MaintainedStorage, id: SessionID, owner: string, ttl = LONG): Promise<Lease> {
  const lease = await storage.acquire(id, owner, ttl)
  if (!lease) throw new Error(`"${owner}" did not get the lease.`)
  return lease
}

/** Acquires a session when its current lease has expired. */
export async function acquireNext(
  storage: MaintainedStorage,
  id: SessionID,
  owner: string,
  ttl = LONG,
): Promise<Lease> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const lease = await storage.acquire(id, owner, ttl)
    if (lease) return lease
    await sleep(5)
  }
  throw new Error(`A short lease is still held after 500 attempts of "${owner}" to take the session.`)
}

/** Stores the session, lets the lease of `own_a` expire, and acquires it for `own_b`. */
export async function takeOver(storage: MaintainedStorage, id: SessionID): Promise<{ stale: Lease; current: Lease }> {
  await storage.commit(id, [putSession(sampleSession(id))])
  const stale = await acquire(storage, id, "own_a", 20)
  return { stale, current: await acquireNext(storage, id, "own_b") }
}
