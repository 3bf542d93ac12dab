import { type Lease, type LeaseHolder, type LeaseToken, type SessionID, StaleLeaseError } from "@pawl/core/storage"
import { toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { holderOf, isFree, type LocalLease, type ProcessIdentity } from "@pawl/storage-kit"
import { findSession, requireSession } from "./record.ts"

export interface LeaseDeps {
  readonly connection: Connection
  /** Monotonic milliseconds that all processes of a boot share. */
  readonly clock: () => number
  readonly self: ProcessIdentity
}

export async function acquireLease(
  deps: LeaseDeps,
  id: SessionID,
  owner: string,
  ttl: number,
): Promise<Lease | undefined> {
  const token = await deps.connection.write(() => takeLease(deps, id, owner, ttl))
  return (
    token && {
      token,
      renew: () => deps.connection.write(() => renewLease(deps, token, ttl)),
      release: () => deps.connection.write(() => releaseLease(deps.connection, token)),
    }
  )
}

/**
 * Throws StaleLeaseError unless the token is that of the last acquisition. Runs in the transaction of the guarded
 * writes. An expired lease remains valid until another owner acquires the session.
 */
export function proveLease(connection: Connection, sessionID: SessionID, token: LeaseToken): void {
  const row = findLease(connection, sessionID)
  const holds = token.sessionID === sessionID && row?.owner === token.owner && row.epoch === token.epoch
  if (!holds) throw new StaleLeaseError(sessionID)
}

export function readHolder({ connection, clock, self }: LeaseDeps, id: SessionID): LeaseHolder | undefined {
  return holderOf(findLease(connection, id), clock(), self)
}

function takeLease(
  { connection, clock, self }: LeaseDeps,
  id: SessionID,
  owner: string,
  ttl: number,
): LeaseToken | undefined {
  const session = requireSession(connection, id)
  const lease = findLease(connection, id)
  const now = clock()
  if (lease && !isFree(lease, owner, now, self)) return undefined
  const epoch = (lease?.epoch ?? removedEpoch(connection)) + 1
  connection
    .statement(
      "INSERT OR REPLACE INTO lease (session, owner, epoch, ttl, expires, boot, host, pid, process_start) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .run(session.key, owner, epoch, ttl, now + ttl, self.boot, self.host, self.pid, self.start)
  return { sessionID: id, owner, epoch }
}

function renewLease({ connection, clock }: LeaseDeps, token: LeaseToken, ttl: number): void {
  proveLease(connection, token.sessionID, token)
  const session = requireSession(connection, token.sessionID)
  connection.statement("UPDATE lease SET expires = ? WHERE session = ?").run(clock() + ttl, session.key)
}

/** Keeps the row, because the next acquisition needs its epoch. */
function releaseLease(connection: Connection, token: LeaseToken): void {
  const session = findSession(connection, token.sessionID)
  if (!session) return
  connection
    .statement("UPDATE lease SET owner = NULL WHERE session = ? AND owner = ? AND epoch = ?")
    .run(session.key, token.owner, token.epoch)
}

/**
 * Returns the highest epoch of the leases of removed sessions. A token of a removed session must be invalid for a new
 * session with the same id.
 */
function removedEpoch(connection: Connection): number {
  const row = connection.statement("SELECT epoch FROM removed_session ORDER BY key DESC LIMIT 1").get()
  return Number(row?.["epoch"] ?? 0)
}

function findLease(connection: Connection, id: SessionID): LocalLease | undefined {
  return connection
    .statement(
      "SELECT owner, epoch, ttl, expires, boot, host, pid, process_start AS start FROM lease " +
        "WHERE session = (SELECT key FROM session WHERE id = ?)",
    )
    .get(toColumn(id)) as LocalLease | undefined
}
