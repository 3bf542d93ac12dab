import type { GCOptions } from "@pawl/core"
import { type Connection, LONG_TIMEOUT } from "./connection.ts"
import { catchUp } from "./derive.ts"

const DAY = 86_400_000

/** In one statement. */
const BLOBS = 50

/** What is part of no blob is of a put that was interrupted, or of one that goes on right now. */
const UNFINISHED_MINUTES = 60

/** A record that refers to one of them may have been committed since what is derived was last brought up to date. */
const REMOVE_SOME = `
WITH unreferenced AS (
  SELECT b.id FROM pawl.blob b
  WHERE b.put <= clock_timestamp() - $1 * interval '1 millisecond'
    AND NOT EXISTS (SELECT FROM pawl.blob_reference f WHERE f.blob = b.id)
    AND NOT EXISTS (
      SELECT FROM pawl.session s JOIN pawl.record r ON r.session = s.key
      LEFT JOIN pawl.derived d ON d.session = s.key
      WHERE s.changed >= (SELECT changed FROM pawl.derived_until)
        AND r.revision >= coalesce(d.revision, 0) AND (r.revision, r.place) > (coalesce(d.revision, 0), coalesce(d.place, 0)) AND strpos(r.data, b.id) > 0)
  LIMIT ${BLOBS} FOR UPDATE SKIP LOCKED),
gone AS (
  DELETE FROM pawl.blob b USING unreferenced u WHERE b.id = u.id RETURNING b.id, b.size),
pieces AS (
  DELETE FROM pawl.blob_piece p USING gone WHERE p.blob = gone.id)
SELECT size FROM gone`

const REMOVE_REST = [
  // Those of sessions that were removed while they were derived.
  "DELETE FROM pawl.blob_reference f WHERE NOT EXISTS (SELECT FROM pawl.listing l WHERE l.session = f.session)",
  `DELETE FROM pawl.blob_piece p WHERE p.put < clock_timestamp() - interval '${UNFINISHED_MINUTES} minutes'
     AND NOT EXISTS (SELECT FROM pawl.blob b WHERE b.id = p.blob)`,
  "DELETE FROM pawl.earlier_commit e WHERE e.at < clock_timestamp() - interval '1 day'",
  "DELETE FROM pawl.session s WHERE s.revision = 0 AND s.removed < clock_timestamp() - interval '7 days'",
]

/** Removes what no record refers to, some at a time, and lets the space be used again. */
export async function collectGarbage(
  connection: Connection,
  { minAge = DAY, signal, onProgress }: GCOptions = {},
): Promise<{ blobs: number; bytes: number }> {
  const freed = { blobs: 0, bytes: 0 }
  signal?.throwIfAborted()
  await catchUp(connection, signal)
  for (const sql of REMOVE_REST) await connection.query(sql, [], { timeout: LONG_TIMEOUT })
  for (;;) {
    signal?.throwIfAborted()
    const rows = await connection.query<{ size: number }>(REMOVE_SOME, [minAge])
    for (const { size } of rows) {
      freed.blobs++
      freed.bytes += size
    }
    onProgress?.(freed.blobs, freed.blobs)
    if (rows.length < BLOBS) break
  }
  if (freed.blobs > 0) await connection.query("VACUUM pawl.blob, pawl.blob_piece", [], { timeout: LONG_TIMEOUT })
  return freed
}
