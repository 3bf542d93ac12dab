import type { SessionID } from "@pawl/core/storage"
import { fromColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import type { RecordRow } from "./record.ts"
import { isRemoved } from "./remove-session.ts"
import { turn, yieldTurn } from "./turn.ts"

export interface ScannedRow extends RecordRow {
  readonly session: number
  /** Undefined when the session's row is not there. */
  readonly sessionID: SessionID | undefined
  /** For a part: true if its message exists. */
  readonly hasMessage: boolean
}

const ROWS_AT_ONCE = 500

/**
 * Every record that was not removed, by key, as `look` sees it within a read of its own batch. What is committed
 * meanwhile is seen too, at the end.
 */
export async function* scanRecords<T>(
  connection: Connection,
  look: (row: ScannedRow) => T | undefined,
  signal?: AbortSignal,
): AsyncGenerator<{ found: T[]; upTo: number }> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const from: number = after
    const batch = await connection.inspect(() => scan(connection, look, from))
    if (batch.upTo > from) yield batch
    after = batch.isAll ? undefined : batch.upTo
    await yieldTurn(signal)
  }
}

function scan<T>(
  connection: Connection,
  look: (row: ScannedRow) => T | undefined,
  from: number,
): { found: T[]; upTo: number; isAll: boolean } {
  const hasTime = turn()
  const found: T[] = []
  let [upTo, count] = [from, 0]
  const rows = connection
    .statement(
      "SELECT record.key AS key, session, message_id, part_id, revision, data, session.id AS session_id, " +
        "EXISTS (SELECT 1 FROM record AS message WHERE message.session = record.session " +
        "AND message.message_id = record.message_id AND message.part_id = '' AND message.data IS NOT NULL) AS has_message " +
        "FROM record LEFT JOIN session ON session.key = record.session " +
        `WHERE record.key > ? AND data IS NOT NULL AND NOT (session.id IS NULL AND ${isRemoved("record")}) ORDER BY record.key`,
    )
    .iterate(from) as Iterable<unknown> as Iterable<
    RecordRow & { session: number; session_id: string | null; has_message: 0 | 1 }
  >
  for (const row of rows) {
    upTo = row.key
    const sessionID = row.session_id === null ? undefined : (fromColumn(row.session_id) as SessionID)
    const value = look({ ...row, sessionID, hasMessage: row.has_message === 1 })
    if (value !== undefined) found.push(value)
    if (++count >= ROWS_AT_ONCE || !hasTime()) return { found, upTo, isAll: false }
  }
  return { found, upTo, isAll: true }
}
