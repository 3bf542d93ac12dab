import { type Lease, type LeaseToken, type SessionID, StaleLeaseError } from "@pawl/core"
import { toColumn } from "./column.ts"
import { missingSession } from "./committer.ts"
import type { Connection } from "./connection.ts"

/**
 * Leases end by the server's clock alone. Where it was set back, an end that lies too far ahead is one that has passed:
 * whoever lost the session so learns of it by its next write.
 */
const TAKE = `
WITH taken AS (
  UPDATE pawl.session SET owner = $2, epoch = epoch + 1, ttl = $3,
    expires = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE id = $1 AND revision > 0 AND (
    owner IS NULL OR owner = $2 OR expires <= clock_timestamp() OR
    expires > clock_timestamp() + ttl * interval '1 millisecond')
  RETURNING epoch)
SELECT (SELECT epoch FROM taken) AS epoch, EXISTS (SELECT FROM pawl.session WHERE id = $1 AND revision > 0) AS found`

const RENEW = `
UPDATE pawl.session SET ttl = $4, expires = clock_timestamp() + $4 * interval '1 millisecond'
WHERE id = $1 AND owner = $2 AND epoch = $3 RETURNING epoch`

/** The epoch stays: that of the next acquisition follows on from it. */
const RELEASE = "UPDATE pawl.session SET owner = NULL WHERE id = $1 AND owner = $2 AND epoch = $3"

export async function acquireLease(
  connection: Connection,
  id: SessionID,
  owner: string,
  ttl: number,
): Promise<Lease | undefined> {
  const name = toColumn(owner)
  const [row] = await connection.query<{ epoch: number | null; found: boolean }>(TAKE, [toColumn(id), name, ttl])
  if (!row?.found) throw missingSession(id)
  if (row.epoch === null) return undefined
  const token: LeaseToken = { sessionID: id, owner, epoch: row.epoch }
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
