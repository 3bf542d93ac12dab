import type { LongWork, SessionID } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { firstBytes } from "./first-bytes.ts"
import type { RecordRow } from "./record.ts"

export interface StoredRow extends RecordRow {
  readonly revision: number
}

interface CountedRow extends StoredRow {
  readonly counted: number
}

/** Records in one statement. */
const PAGE_RECORDS = 500

/** A session's id and key. */
export interface SessionHead {
  readonly key: number
  readonly id: SessionID
}

/** Yields every session, by key, and the estimated total. Stops when the signal aborts. */
export async function* everySession(
  connection: Connection,
  { signal, onProgress }: LongWork = {},
): AsyncGenerator<SessionHead> {
  const [size] = await connection.query<{ count: number }>(
    "SELECT count(*) AS count FROM pawl.session WHERE revision > 0",
  )
  let key = 0
  let done = 0
  for (;;) {
    signal?.throwIfAborted()
    const rows = await connection.query<{ key: number; id: string }>(
      "SELECT key, id FROM pawl.session WHERE key > $1 AND revision > 0 ORDER BY key LIMIT 100",
      [key],
    )
    for (const row of rows) {
      signal?.throwIfAborted()
      yield { key: row.key, id: fromColumn(row.id) as SessionID }
      onProgress?.(++done, Math.max(done, size?.count ?? 0))
      key = row.key
    }
    if (rows.length === 0) return
  }
}

/** Yields the remaining records of a session in pages: its own, then by message and part. */
export async function* everyRecord(connection: Connection, key: number): AsyncGenerator<StoredRow[]> {
  let last: StoredRow | undefined
  for (;;) {
    const page = `SELECT r.message_id, r.part_id, r.revision, r.data FROM pawl.record r
      WHERE r.session = $1 AND (r.message_id, r.part_id) ${last ? ">" : ">="} ($2, $3) AND r.data IS NOT NULL
      ORDER BY r.message_id, r.part_id LIMIT ${PAGE_RECORDS}`
    const rows: CountedRow[] = await connection.query<CountedRow>(
      `${firstBytes(page, "message_id, part_id")} ORDER BY message_id, part_id`,
      [key, last?.message_id ?? "", last?.part_id ?? ""],
    )
    yield rows
    last = rows.at(-1)
    const counted = rows[0]?.counted ?? 0
    if (counted < PAGE_RECORDS && rows.length === counted) return
  }
}

/** Returns the session's own record; undefined if it is missing. */
export async function ownRecord(connection: Connection, key: number): Promise<StoredRow | undefined> {
  const [row] = await connection.query<StoredRow>(
    "SELECT message_id, part_id, revision, data FROM pawl.record WHERE session = $1 AND message_id = '' AND part_id = '' AND data IS NOT NULL",
    [key],
  )
  return row
}
