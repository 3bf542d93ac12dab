import type { Message, MessageID, MessageQuery, MessageWithParts, Part, SessionID } from "@pawl/core"
import { fromColumn, toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
import { parseJoined } from "./joined-records.ts"
import { findSession, readRecord } from "./record.ts"

const PAGE = 50

/** Newest first. Each page is a read of its own, so that a slow reader holds up nobody. */
export async function* readMessages(
  connection: Connection,
  id: SessionID,
  query: MessageQuery = {},
): AsyncGenerator<MessageWithParts> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let before = query.before
  while (left > 0) {
    const size = Math.min(PAGE, left)
    const cursor = before
    const page = await connection.read(() => messagesBefore(connection, id, cursor, size))
    yield* page
    if (page.length < size) return
    left -= size
    before = page.at(-1)?.info.id
  }
}

type MessageRow = readonly [messageID: string, records: string, count: number, inChunks: 0 | 1]
type Row = readonly [messageID: string, partID: string, key: number, data: string]

/** Oldest first, parts by id. Both ends are part of the range. */
export function messagesBetween(
  connection: Connection,
  session: number,
  range: { from: MessageID; to?: MessageID },
): MessageWithParts[] {
  const upTo = range.to === undefined ? [] : [toColumn(range.to)]
  // One row for a message with its parts, parsed as one and read one at a time: half the time of a row for each record.
  const statement = connection.statement(
    "SELECT message_id, '[' || group_concat(data) || ']', count(*), max(data = '') FROM record " +
      `WHERE session = ? AND message_id >= ? ${upTo.length > 0 ? "AND message_id <= ? " : ""}AND data IS NOT NULL ` +
      "GROUP BY message_id ORDER BY message_id",
  )
  statement.setReturnArrays(true)
  const rows = statement.iterate(session, toColumn(range.from), ...upTo) as Iterable<unknown> as Iterable<MessageRow>
  return Array.from(rows, ([id, records, count, inChunks]) => {
    const [info, ...parts] = (inChunks ? undefined : parseJoined(records, count)) ?? recordsOf(connection, session, id)
    return { info, parts } as { info: Message; parts: Part[] }
  })
}

/** A message, which sorts before its parts, and these. */
function recordsOf(connection: Connection, session: number, messageID: string): unknown[] {
  const statement = connection.statement(
    "SELECT message_id, part_id, key, data FROM record WHERE session = ? AND message_id = ? AND data IS NOT NULL ORDER BY part_id",
  )
  statement.setReturnArrays(true)
  const rows = statement.all(session, messageID) as unknown[] as Row[]
  return rows.map(([message_id, part_id, key, data]) => readRecord(connection, { message_id, part_id, key, data }))
}

function messagesBefore(
  connection: Connection,
  id: SessionID,
  before: MessageID | undefined,
  limit: number,
): MessageWithParts[] {
  const session = findSession(connection, id)
  if (!session) return []
  const older = before === undefined ? [] : [toColumn(before)]
  const rows = connection
    .statement(
      "SELECT message_id FROM record WHERE session = ? AND message_id > '' AND part_id = '' " +
        `${older.length > 0 ? "AND message_id < ? " : ""}AND data IS NOT NULL ORDER BY message_id DESC LIMIT ?`,
    )
    .all(session.key, ...older, limit) as { message_id: string }[]
  const [newest, oldest] = [rows[0], rows.at(-1)]
  if (!newest || !oldest) return []
  const range = { from: fromColumn(oldest.message_id) as MessageID, to: fromColumn(newest.message_id) as MessageID }
  return messagesBetween(connection, session.key, range).toReversed()
}
