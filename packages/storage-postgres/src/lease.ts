import { type Lease, type LeaseHolder, type LeaseToken, type SessionID, StaleLeaseError } from "@pawl/core/storage"
import {
  lifeOnAnyMachine,
  type ProcessIdentity,
  type ProcessLife,
  processName,
  toProcessIdentity,
} from "@pawl/storage-kit"
import { toColumn } from "./column.ts"
import { missingSession } from "./committer.ts"
import type { Connection } from "./connection.ts"

/**
 * Acquires a lease; only the server's clock determines when it ends. If that clock was set back, an expiry too far in
 * the future counts as passed, and the next write of the previous owner is refused. `$5` is the epoch of a lease whose
 * process is known to be dead. Returns the previous holder.
 */
const TAKE = `
WITH taken AS (
  UPDATE pawl.session SET owner = $2, epoch = epoch + 1, ttl = $3, process = $4, process_epoch = epoch + 1,
    expires = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE id = $1 AND revision > 0 AND (
    owner IS NULL OR owner = $2 OR epoch = $5::bigint OR expires <= clock_timestamp() OR
    expires > clock_timestamp() + ttl * interval '1 millisecond')
  RETURNING epoch)
SELECT (SELECT epoch FROM taken) AS taken, s.epoch, s.process
FROM (${holderColumns("id = $1 AND revision > 0")}) s`

const READ_HOLDER = holderColumns("id = $1 AND revision > 0 AND owner IS NOT NULL")

/** Uses the row's process only if its epoch matches: earlier versions acquire a lease without writing their process. */
function holderColumns(condition: string): string {
  return `SELECT epoch, extract(epoch FROM expires)::float8 * 1000 AS ends,
    extract(epoch FROM expires - clock_timestamp())::float8 * 1000 AS remaining,
    ttl, CASE WHEN process_epoch = epoch THEN process END AS process
  FROM pawl.session WHERE ${condition}`
}

const RENEW = `
UPDATE pawl.session SET ttl = $4, expires = clock_timestamp() + $4 * interval '1 millisecond'
WHERE id = $1 AND owner = $2 AND epoch = $3 RETURNING epoch`

/** Keeps the epoch, since the next acquisition's epoch follows from it. */
const RELEASE = "UPDATE pawl.session SET owner = NULL WHERE id = $1 AND owner = $2 AND epoch = $3"

export interface LeaseDeps {
  readonly connection: Connection
  readonly self: ProcessIdentity
}

interface HolderRow {
  readonly epoch: number
  readonly ends: number
  readonly remaining: number
  readonly ttl: number
  readonly process: string | null
}

/** Acquires a session. Also takes it over if its holder is a dead process of this machine. */
export async function acquireLease(
  deps: LeaseDeps,
  id: SessionID,
  owner: string,
  ttl: number,
): Promise<Lease | undefined> {
  const { connection } = deps
  const name = toColumn(owner)
  const epoch = await takeLease(deps, id, name, ttl)
  if (epoch === undefined) return undefined
  const token: LeaseToken = { sessionID: id, owner, epoch }
  const held = [toColumn(id), name, token.epoch]
  return {
    token,
    async renew() {
      const renewed = await connection.query(RENEW, [...held, ttl])
      if (renewed.length === 0) throw new StaleLeaseError(id)
    },
    async release() {
      await connection.query(RELEASE, held)
    },
  }
}

async function takeLease(
  { connection, self }: LeaseDeps,
  id: SessionID,
  owner: string,
  ttl: number,
): Promise<number | undefined> {
  const take = async (deadEpoch: number | null) => {
    const values = [toColumn(id), owner, ttl, JSON.stringify(self), deadEpoch]
    const [row] = await connection.query<{ taken: number | null; epoch: number; process: string | null }>(TAKE, values)
    if (!row) throw missingSession(id)
    return row
  }
  const { taken, epoch, process } = await take(null)
  if (taken !== null) return taken
  if (lifeOfHolder(process, self) !== "dead") return undefined
  return (await take(epoch)).taken ?? undefined
}

/** Returns undefined if another owner on this machine can acquire the session. */
export async function readHolder({ connection, self }: LeaseDeps, id: SessionID): Promise<LeaseHolder | undefined> {
  const [row] = await connection.query<HolderRow>(READ_HOLDER, [toColumn(id)])
  if (!row || row.remaining <= 0 || row.remaining > row.ttl) return undefined
  const life = lifeOfHolder(row.process, self)
  if (life === "dead") return undefined
  const { epoch, ends, remaining } = row
  const process = toIdentity(row.process)
  return { epoch, ends, remaining, process: process && processName(process), isAlive: life === "alive" }
}

function lifeOfHolder(process: string | null, self: ProcessIdentity): ProcessLife {
  const identity = toIdentity(process)
  return identity ? lifeOnAnyMachine(identity, self) : "unknown"
}

function toIdentity(process: string | null): ProcessIdentity | undefined {
  try {
    return toProcessIdentity(JSON.parse(process ?? "null"))
  } catch {
    // Another program wrote the row. Such a lease ends when it expires.
    return undefined
  }
}
