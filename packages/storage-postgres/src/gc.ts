import type { GCOptions } from "@pawl/core/storage"
import { abortable, type Connection, LONG_TIMEOUT_MS, type Value } from "./connection.ts"
import { catchUp } from "./derive.ts"
import { purgeRemoved } from "./purge.ts"

const DAY_MS = 86_400_000

/** Blobs per statement. */
const BLOBS_PER_STATEMENT = 50

/** Pieces without a blob belong to a put that runs now or was interrupted. After this time it counts as interrupted. */
const UNFINISHED_MINUTES = 60

/** Checks references again, since a record may have been committed after derived data was updated. */
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
  LIMIT ${BLOBS_PER_STATEMENT} FOR UPDATE SKIP LOCKED),
gone AS (
  DELETE FROM pawl.blob b USING unreferenced u WHERE b.id = u.id RETURNING b.id, b.size)
SELECT id, size FROM gone`

/** Removes pieces by a condition, a limited number per statement. */
const removePieces = (condition: string): string => `
DELETE FROM pawl.blob_piece x WHERE x.ctid = ANY (ARRAY(
  SELECT p.ctid FROM pawl.blob_piece p
  WHERE ${condition} AND NOT EXISTS (SELECT FROM pawl.blob b WHERE b.id = p.blob) LIMIT 16)) RETURNING x.position`

const REMOVE_PIECES = removePieces("p.blob = ANY ($1)")

/** Statements that each remove some rows of a table. */
const REMOVE_REST = [
  // Rows of missing sessions. If their records remain, `rebuild` decides.
  removeRows(
    "blob_reference",
    `NOT EXISTS (SELECT FROM pawl.session s WHERE s.key = x.session)
     AND NOT EXISTS (SELECT FROM pawl.record r WHERE r.session = x.session)`,
  ),
  removePieces(`p.put < clock_timestamp() - interval '${UNFINISHED_MINUTES} minutes'`),
  removeRows("earlier_commit", "x.at < clock_timestamp() - interval '1 day'"),
  removeRows("session", "x.revision = 0 AND x.removed < clock_timestamp() - interval '7 days'"),
]

function removeRows(table: string, condition: string): string {
  return `DELETE FROM pawl.${table} x WHERE ${condition} AND x.ctid = ANY (ARRAY(
    SELECT x.ctid FROM pawl.${table} x WHERE ${condition} LIMIT 1000)) RETURNING x.ctid`
}

/** Removes unreferenced data, some rows at a time, and frees its space. */
export async function collectGarbage(
  server: Connection,
  { minAge = DAY_MS, signal, onProgress }: GCOptions = {},
): Promise<{ blobs: number; bytes: number }> {
  const freed = { blobs: 0, bytes: 0 }
  signal?.throwIfAborted()
  const connection = abortable(server, signal)
  await purgeRemoved(connection, signal)
  await catchUp(connection, { signal })
  for (const sql of REMOVE_REST) await removeAll(connection, sql)
  for (;;) {
    const rows = await connection.query<{ id: string; size: number }>(REMOVE_SOME, [minAge])
    await removeAll(connection, REMOVE_PIECES, [rows.map(({ id }) => id)])
    for (const { size } of rows) {
      freed.blobs++
      freed.bytes += size
    }
    onProgress?.(freed.blobs, freed.blobs)
    if (rows.length < BLOBS_PER_STATEMENT) break
  }
  if (freed.blobs > 0) await connection.query("VACUUM pawl.blob, pawl.blob_piece", [], { timeout: LONG_TIMEOUT_MS })
  return freed
}

async function removeAll(connection: Connection, sql: string, values: readonly Value[] = []): Promise<void> {
  while ((await connection.query(sql, values, { timeout: LONG_TIMEOUT_MS })).length > 0);
}
