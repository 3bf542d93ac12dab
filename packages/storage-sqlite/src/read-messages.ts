import type { Message, MessageID, MessageQuery, MessageWithParts, Part, SessionID } from "@pawl/core"
import { fromColumn, toColumn } from "./column.ts"
import type { Connection } from "./connection.ts"
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

/** Oldest first, parts by id. Both ends are part of the range. */
export function messagesBetween(
  connection: Connection,
  session: number,
  range: { from: MessageID; to?: MessageID },
): MessageWithParts[] {
  const upTo = range.to === undefined ? [] : [toColumn(range.to)]
  const statement = connection.statement(
    "SELECT message_id, part_id, key, data FROM record WHERE session = ? AND message_id >= ? " +
      `${upTo.length > 0 ? "AND message_id <= ? " : ""}AND data IS NOT NULL ORDER BY message_id, part_id`,
  )
  statement.setReturnArrays(true)
  const rows = statement.iterate(session, toColumn(range.from), ...upTo) as Iterable<unknown> as Iterable<Row>

  const messages: { info: Message; parts: Part[] }[] = []
  // One at a time: the texts of a long session would otherwise be kept until the last of them is parsed.
  for (const [message_id, part_id, key, data] of rows) {
    const value = readRecord(connection, { message_id, part_id, key, data })
    // A message sorts before its parts.
    if (part_id === "") messages.push({ info: value as Message, parts: [] })
    else messages.at(-1)?.parts.push(value as Part)
  }
  return messages
}

type Row = readonly [messageID: string, partID: string, key: number, data: string]

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
