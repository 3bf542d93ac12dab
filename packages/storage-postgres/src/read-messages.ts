import type { MessageQuery, MessageWithParts, SessionID } from "@pawl/core/storage"
import { toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { BATCH_BYTES } from "./first-bytes.ts"
import { createMessages, type RecordRow } from "./record.ts"

const PAGE = 50

/** Yields messages, newest first. Each page is a separate read, so that a slow reader does not block others. */
export async function* readMessages(
  connection: Connection,
  id: SessionID,
  query: MessageQuery = {},
): AsyncGenerator<MessageWithParts> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let before = query.before === undefined ? null : toColumn(query.before)
  while (left > 0) {
    const size = Math.min(PAGE, left)
    const rows = await messagesBefore(connection, id, {
      before,
      limit: size,
      assistantParts: query.assistantParts ?? true,
    })
    const reader = createMessages(id)
    for (const row of rows) reader.add(row)
    const { messages } = reader
    yield* messages.toReversed()
    if ((rows[0]?.counted ?? 0) < size && rows[0]?.is_all !== false) return
    // Damaged messages do not count, so that a page of them does not end the iteration.
    left -= messages.length
    before = rows[0]?.message_id ?? null
  }
}

interface MessageRow extends RecordRow {
  /** Number of candidates before the size limit was applied, and true if all of them are included. */
  readonly counted: number
  readonly is_all: boolean
}

interface PageQuery {
  /** Null: the newest messages. */
  readonly before: string | null
  readonly limit: number
  readonly assistantParts: boolean
}

/**
 * Reads the newest messages before `before`, oldest message first, parts by id. Returns fewer if they are large. Sizes
 * are in the rows' headers, so the other rows are not read.
 */
function messagesBefore(
  connection: Connection,
  id: SessionID,
  { before, limit, assistantParts }: PageQuery,
): Promise<MessageRow[]> {
  // Finds every user message; to read the parts of another message as well does no harm.
  const isUser = `m.data LIKE '%"role":"user"%'`
  return connection.query<MessageRow>(
    `WITH page AS MATERIALIZED (
       SELECT m.session, m.message_id, ${assistantParts ? "true" : isUser} AS has_parts FROM pawl.record m
       WHERE m.session = (SELECT l.session FROM pawl.listing l WHERE l.id = $1)
         AND m.message_id > '' AND m.part_id = '' AND m.data IS NOT NULL
         ${before === null ? "" : "AND m.message_id < $3"}
       ORDER BY m.message_id DESC LIMIT $2),
     sized AS MATERIALIZED (
       SELECT page.*, (SELECT sum(octet_length(r.data)) FROM pawl.record r
         WHERE r.session = page.session AND r.message_id = page.message_id
           AND (page.has_parts OR r.part_id = '')) AS bytes FROM page),
     chosen AS MATERIALIZED (
       SELECT *, sum(bytes) OVER (ORDER BY message_id DESC) - bytes < ${BATCH_BYTES} AS fits FROM sized)
     SELECT r.message_id, r.part_id, r.data, (SELECT count(*) FROM chosen) AS counted,
       (SELECT bool_and(fits) FROM chosen) AS is_all
     FROM chosen JOIN pawl.record r ON r.session = chosen.session AND r.message_id = chosen.message_id
     WHERE chosen.fits AND (chosen.has_parts OR r.part_id = '') AND r.data IS NOT NULL ORDER BY r.message_id, r.part_id`,
    [toColumn(id), limit, ...(before === null ? [] : [before])],
  )
}
