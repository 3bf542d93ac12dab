import type { MessageQuery, MessageWithParts, SessionID } from "@pawl/core"
import { toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { type RecordRow, toMessages } from "./record.ts"

const PAGE = 50

/** Newest first. Each page is a read of its own, so that a slow reader holds up nobody. */
export async function* readMessages(
  connection: Connection,
  id: SessionID,
  query: MessageQuery = {},
): AsyncGenerator<MessageWithParts> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let before = query.before === undefined ? null : toColumn(query.before)
  while (left > 0) {
    const size = Math.min(PAGE, left)
    const rows = await messagesBefore(connection, id, before, size)
    const { messages } = toMessages(id, rows)
    yield* messages.toReversed()
    const found = new Set(rows.map((row) => row.message_id)).size
    if (found < size) return
    // Damaged ones do not count, so that a page of them is not the end.
    left -= messages.length
    before = rows[0]?.message_id ?? null
  }
}

/** The rows of the newest messages before one, oldest message first, parts by id. */
function messagesBefore(
  connection: Connection,
  id: SessionID,
  before: string | null,
  limit: number,
): Promise<RecordRow[]> {
  return connection.query<RecordRow>(
    `WITH page AS MATERIALIZED (
       SELECT m.session, m.message_id FROM pawl.record m
       WHERE m.session = (SELECT l.session FROM pawl.listing l WHERE l.id = $1)
         AND m.message_id > '' AND m.part_id = '' AND m.data IS NOT NULL
         ${before === null ? "" : "AND m.message_id < $3"}
       ORDER BY m.message_id DESC LIMIT $2)
     SELECT r.message_id, r.part_id, r.data FROM page
     JOIN pawl.record r ON r.session = page.session AND r.message_id = page.message_id
     WHERE r.data IS NOT NULL ORDER BY r.message_id, r.part_id`,
    [toColumn(id), limit, ...(before === null ? [] : [before])],
  )
}
