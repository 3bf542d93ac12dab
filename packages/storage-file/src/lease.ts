import { type Lease, type LeaseHolder, type LeaseToken, type SessionID, StaleLeaseError } from "@pawl/core/storage"
import { missingSession } from "./errors.ts"
import { readLease, releaseLease, writeLease } from "./lease-file.ts"
import { holderOf, isFree, type LocalLease } from "@pawl/storage-kit"
import { exclusively } from "./session-access.ts"
import { findSession } from "./session-head.ts"
import type { Store } from "./store.ts"

export async function acquireLease(
  store: Store,
  id: SessionID,
  owner: string,
  ttl: number,
): Promise<Lease | undefined> {
  const token = await exclusively(store, id, async () => takeLease(store, id, owner, ttl))
  return (
    token && {
      token,
      renew: () =>
        exclusively(store, id, async () => {
          const lease = proveLease(store, id, token)
          writeLease(store, id, { ...lease, expires: store.clock() + ttl })
        }),
      release: () =>
        exclusively(store, id, async () => {
          const lease = readLease(store, id)
          if (lease && isOf(lease, token)) releaseLease(store, id, lease)
        }),
    }
  )
}

/**
 * Throws StaleLeaseError unless the token is that of the last acquisition. Called under the lock of the guarded writes. An
 * expired lease remains valid until another owner acquires the session.
 */
export function proveLease(store: Store, id: SessionID, token: LeaseToken): LocalLease {
  const lease = readLease(store, id)
  if (token.sessionID !== id || !lease || !isOf(lease, token)) throw new StaleLeaseError(id)
  return lease
}

export function readHolder(store: Store, id: SessionID): LeaseHolder | undefined {
  return holderOf(readLease(store, id), store.clock(), store.self)
}

function takeLease(store: Store, id: SessionID, owner: string, ttl: number): LeaseToken | undefined {
  if (findSession(store, id) === undefined) throw missingSession(id)
  const lease = readLease(store, id)
  const now = store.clock()
  if (lease && !isFree(lease, owner, now, store.self)) return undefined
  const epoch = (lease?.epoch ?? 0) + 1
  writeLease(store, id, { ...store.self, owner, epoch, ttl, expires: now + ttl })
  return { sessionID: id, owner, epoch }
}

function isOf(lease: LocalLease, { owner, epoch }: LeaseToken): boolean {
  return lease.owner === owner && lease.epoch === epoch
}
